/** The life of an operation, one use case a file: `submit`, `read` (and wait), `end`. None of them knows HTTP or runs work. */
import { createEndings, type Endings, type EndServices } from "./end.ts";
import { createReading, type Reading, type ReadServices } from "./read.ts";
import { createSubmissions, type Submissions, type SubmitServices } from "./submit.ts";

type OperationServices = SubmitServices & ReadServices & EndServices;

export interface Operations extends Submissions, Reading, Endings {}

export function createOperations(services: OperationServices): Operations {
  const reading = createReading(services);
  return { ...createSubmissions(services, reading.sign), ...reading, ...createEndings(services, reading) };
}
