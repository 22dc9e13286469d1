/** What a document of Google's is exported as; of a spreadsheet that is its first sheet. */
export const EXPORTS: Record<string, string> = {
  'application/vnd.google-apps.document': 'text/plain',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
  'application/vnd.google-apps.presentation': 'text/plain',
}

export const TEXT_TYPES: { type: string; isPrefix?: boolean }[] = [
  ...Object.keys(EXPORTS).map((type) => ({ type })),
  { type: 'text/', isPrefix: true },
  { type: 'application/json' },
  { type: 'application/x-ndjson' },
  { type: 'application/xml' },
  { type: 'application/yaml' },
  { type: 'application/x-yaml' },
  { type: 'application/javascript' },
  { type: 'application/x-javascript' },
  { type: 'application/sql' },
  { type: 'application/x-sh' },
]
