import type { Variable, VariableContent } from '@catenary/contracts'

type Source = Pick<Variable, 'type' | 'content' | 'apiUrl' | 'googleDriveFileId' | 'googleDriveFileName'>

/** A variable's text; for the other types what stands in its place until it is fetched. */
export function variableContentOf(variable: Source): VariableContent {
  if (variable.type === 'text') return { content: variable.content }
  const missing = missingSource(variable)
  return missing === undefined ? { content: placeholder(variable) } : { error: missing }
}

/** One text for the preview, whether there is content or not. */
export function variablePreviewOf(variable: Source): string {
  const { content, error } = variableContentOf(variable)
  return content ?? error ?? ''
}

function missingSource({ type, content, apiUrl, googleDriveFileId }: Source): string | undefined {
  if (type === 'file' && content === '') return 'No file path specified'
  if (type === 'api' && apiUrl === '') return 'No API URL specified'
  if (type === 'googleDrive' && googleDriveFileId === '') return 'No Google Drive file specified'
  return undefined
}

function placeholder({ type, googleDriveFileName }: Source): string {
  if (type === 'api') return 'API content will appear here after fetching'
  if (type === 'file') return 'File content will appear here'
  return `Google Drive file: ${googleDriveFileName || 'Loading...'}`
}
