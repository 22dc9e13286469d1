export { ImportError } from '../promptfoo/draft.ts'
export type { ForeignPrompt, LossDraft, ReadFile, SourceFile } from './draft.ts'
export { readFiles } from './read-files.ts'
