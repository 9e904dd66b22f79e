/** The life of an operation, one use case a file: `submit`, `read` (and wait), `change`, `end`. None of them knows HTTP or runs work. */
import { type ChangeServices, type Changes, createChanges } from "./change.ts";
import { createEndings, type Endings, type EndServices } from "./end.ts";
import { createReading, type Reading, type ReadServices } from "./read.ts";
import { createSubmissions, type Submissions, type SubmitServices } from "./submit.ts";

type OperationServices = SubmitServices & ReadServices & ChangeServices & EndServices;

export interface Operations extends Submissions, Reading, Changes, Omit<Endings, "cancel"> {}

export function createOperations(services: OperationServices): Operations {
  const reading = createReading(services);
  const endings = createEndings(services, reading);
  return {
    ...createSubmissions(services, reading.sign),
    ...reading,
    ...endings,
    ...createChanges(services, reading, endings),
  };
}
