import type { ExampleVariable } from './example-types.ts'

export const EXAMPLE_VARIABLES: readonly ExampleVariable[] = [
  {
    name: 'product',
    type: 'text',
    content: 'Harbour',
  },
  {
    name: 'audience',
    type: 'text',
    content: 'teams that use it daily',
    allowedValues: ['teams that use it daily', 'people who tried it and left', 'developers on its API'],
  },
  {
    name: 'brand_voice',
    type: 'text',
    content: [
      'Plain and warm, like a colleague who has time.',
      'Short sentences. Verbs before nouns. "You", not "the user".',
      'One claim, then its proof. No superlatives, no exclamation marks.',
    ].join('\n'),
  },
  {
    name: 'release_notes',
    type: 'file',
    fileName: 'release_notes.md',
    content: [
      '# Harbour 4.2, 16 November',
      '',
      '- Snooze: a conversation leaves the inbox and comes back at a time that you choose.',
      '- Search finds words inside of attachments (PDF and plain text).',
      '- The inbox opens in 0.4 s with 10,000 conversations; it took 2.1 s.',
      '- Fixed: replies sent from a phone lost their line breaks.',
      '- Removed: the old "Folders" view. Its folders are saved searches now.',
      '',
      'For everyone from Tuesday on. Nothing to install.',
      '',
    ].join('\n'),
  },
]
