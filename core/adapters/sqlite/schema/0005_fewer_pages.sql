-- What a submission writes is paid for by the page, and each index that begins with the account is a page for every account of a shared
-- commit. So what is `processing` is listed through its job, and the indexes of `operations` hold what has ended.

DROP INDEX operations_list;
DROP INDEX operations_list_action;
DROP INDEX operations_list_status;
DROP INDEX operations_list_action_status;
CREATE INDEX operations_ended ON operations (account_id, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_action ON operations (account_id, action, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_status ON operations (account_id, status, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_action_status ON operations (account_id, action, status, id) WHERE status <> 'processing';

ALTER TABLE jobs ADD COLUMN action TEXT NOT NULL DEFAULT '';
UPDATE jobs SET action = (SELECT action FROM operations WHERE id = operation_id);
DROP INDEX jobs_account;
CREATE INDEX jobs_account ON jobs (account_id, action, operation_id);
