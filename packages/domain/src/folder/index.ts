export { ImportError } from '../promptfoo/draft.ts'
export {
  type FolderChain,
  type FolderFile,
  type FolderPrompt,
  type FolderRecord,
  type FolderSkill,
  type FolderStep,
  type FolderSuite,
  fileNameOf,
  pathOf,
} from './folder-records.ts'
export { toLangfuse, toPromptfooPrompt, toPromptfooProviders, toPromptfooTests } from './other-forms.ts'
export { readRecord } from './read-record.ts'
export { writePieces, writeRecord } from './write-record.ts'
