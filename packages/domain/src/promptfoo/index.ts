export { type CaseDraft, ImportError, type SuiteDraft } from './draft.ts'
export { exportSuite } from './export-suite.ts'
export { importCsv, importPromptfoo, importPromptfooValue } from './import-suite.ts'
