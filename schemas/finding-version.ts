/** Which version of findings this is. Apart, for those who have no use for the schema. */

/** `schema_version` of Finding v1. */
export const FINDING_V1_SCHEMA_VERSION = 1;
