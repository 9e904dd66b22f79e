-- A third kind of work. SQLite changes no CHECK in place: the column is made anew, and the old one goes.

ALTER TABLE operations ADD COLUMN kind TEXT NOT NULL DEFAULT 'dsp' CHECK (kind IN ('dsp', 'generation', 'gpu'));
UPDATE operations SET kind = work;
ALTER TABLE operations DROP COLUMN work;
ALTER TABLE operations RENAME COLUMN kind TO work;
INSERT INTO queue_turns (work, turn) VALUES ('gpu', 0);
