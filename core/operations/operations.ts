/**
 * The life of an operation, one use case a file: `submit`, `read` (and wait), `change`, `end`, `webhook`. None of them
 * knows HTTP or runs work.
 */
import { type ChangeServices, type Changes, createChanges } from "./change.ts";
import { createEndings, type Endings, type EndServices } from "./end.ts";
import { createReading, createSigning, type Reading, type ReadServices } from "./read.ts";
import { createRelics, type RelicServices } from "./relics.ts";
import { createSubmissions, type Submissions, type SubmitServices } from "./submit.ts";
import { createOperationWebhooks, type OperationWebhooks, type WebhookServices } from "./webhook.ts";

type OperationServices = SubmitServices & ReadServices & ChangeServices & EndServices & WebhookServices & RelicServices;

export interface Operations
  extends Submissions,
    Reading,
    Changes,
    Omit<Endings, "cancel">,
    Pick<OperationWebhooks, "announceStart"> {}

export function createOperations(services: OperationServices): Operations {
  const sign = createSigning(services);
  const relics = createRelics(services);
  const { announceStart, ...webhooks } = createOperationWebhooks(services, sign, relics);
  const reading = createReading(services, sign, relics, webhooks);
  const endings = createEndings(services, reading, webhooks);
  return {
    ...createSubmissions(services, sign),
    ...reading,
    ...endings,
    announceStart,
    ...createChanges(services, reading, endings),
  };
}
