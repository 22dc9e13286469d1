import type { ExampleSuite } from './example-types.ts'

const FACTS =
  'Harbour 4.3: a conversation can be merged with another one. Fixed: mails from Outlook were shown twice.'

export const EXAMPLE_SUITE: ExampleSuite = {
  name: 'Launch mails',
  prompt: 'Product launch email',
  tests: [
    {
      name: 'Has a subject',
      assertions: [{ type: 'regex', value: String.raw`(^|\n)\W*Subject:?\W` }],
    },
    {
      name: 'Is short enough to be read',
      assertions: [{ type: 'word-count', value: { min: 20, max: 260 } }],
    },
    {
      name: 'Names the product',
      assertions: [{ type: 'icontains', value: 'Harbour' }],
    },
    {
      name: 'Says nothing of being thrilled',
      assertions: [
        { type: 'not-icontains', value: 'thrilled' },
        { type: 'not-icontains', value: 'revolutionary' },
        { type: 'not-contains', value: '!!' },
      ],
    },
    {
      name: 'For those who left',
      values: { audience: 'people who tried it and left' },
      assertions: [{ type: 'not-icontains', value: 'as you know' }],
    },
    {
      name: 'For developers',
      values: { audience: 'developers on its API' },
      assertions: [{ type: 'not-regex', value: String.raw`\$<\w+>` }],
    },
    {
      name: 'Keeps to other release notes',
      values: { release_notes: FACTS },
      assertions: [{ type: 'not-icontains', value: 'snooze' }],
    },
    {
      name: 'Takes no fact from elsewhere',
      values: { release_notes: FACTS },
      assertions: [{ type: 'not-regex', value: String.raw`\b\d+ ?%` }],
    },
    {
      name: 'Comes to its end',
      assertions: [{ type: 'finish-reason', value: 'stop' }],
    },
  ],
}
