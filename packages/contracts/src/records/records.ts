export const RECORD_KINDS = ['prompt', 'chain'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]
