-- A Bloom filter of the keys in each part of `operation_keys` (fast/key_filters.ts), written with the part: nearly every submission brings a key
-- that is new, and should not wait for a page of a table that is larger than memory to hear so. A part without one is looked up there.
CREATE TABLE operation_key_filters (
  part INTEGER PRIMARY KEY,
  -- How many were added since it was made, those of operations that are gone meanwhile included.
  keys INTEGER NOT NULL,
  bits BLOB NOT NULL
) STRICT;
