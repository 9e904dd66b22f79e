-- Outputs as lists show them, without the reports, which are 100 KB and more of a song. Null for what ended before.

ALTER TABLE operations ADD COLUMN outputs_listed TEXT;
