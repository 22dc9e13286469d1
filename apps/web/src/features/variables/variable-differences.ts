import type { Tag, Variable } from '@catenary/contracts'
import type { Difference } from '../../components/conflict-panel.tsx'
import { fileNameOf } from './variable-file.ts'
import { formOf, type VariableForm } from './variable-form.ts'
import { headersJson } from './variable-headers.ts'

/** How a conflict names and shows each field; values of headers are not shown. */
const ROWS: { label: string; show: (form: VariableForm) => string }[] = [
  { label: 'Name', show: ({ name }) => name },
  { label: 'Type', show: ({ type }) => type },
  { label: 'Content', show: ({ type, content }) => (type === 'text' ? content : '') },
  { label: 'File', show: ({ type, filePath }) => (type === 'file' ? fileNameOf(filePath) : '') },
  { label: 'API URL', show: ({ type, apiUrl }) => (type === 'api' ? apiUrl : '') },
  {
    label: 'API Headers',
    show: ({ type, headers }) => (type === 'api' ? headersJson({ rows: headers, masked: true }) : ''),
  },
  { label: 'Cache time', show: ({ cacheSeconds }) => `${cacheSeconds} s` },
  {
    label: 'Google Drive file',
    show: ({ type, googleDriveFileName }) => (type === 'googleDrive' ? googleDriveFileName : ''),
  },
  { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  { label: 'Visibility', show: ({ isPublic }) => (isPublic ? 'Public' : 'Private') },
]

/** What the person's form and the stored variable do not share. */
export function differencesOf({ mine, theirs }: { mine: VariableForm; theirs: Variable }): Difference[] {
  const stored = formOf({ variable: theirs })
  const rows = ROWS.map(({ label, show }) => ({ label, mine: show(mine), theirs: show(stored) }))
  return rows.filter((row) => row.mine !== row.theirs)
}

function namesOf(tags: readonly Tag[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}
