/** What has versions with labels, is shared with people by name, and is offered to their tokens: alike for both. */
export const RECORD_KINDS = ['prompt', 'chain'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]
