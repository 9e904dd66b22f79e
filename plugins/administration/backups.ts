/**
 * What the command that notes a backup leaves in the audit log: `operator.` and the command's name (run_command.ts).
 */
export const BACKUP_NOTED = "operator.backups.note";
