import type { VariableType } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { makeApiVariable, makeVariable } from './testing/make-variable.ts'
import { changesOrigin, draftOf, formOf, requestOf, restoreDraft, variableForm } from './variable-fields.tsx'

const filled = {
  ...formOf({ variable: null, name: 'notes' }),
  content: 'typed text',
  filePath: 'uploads/1_notes.md',
  apiUrl: ' https://example.org/notes ',
  headers: [{ name: 'X-Key', value: 's3cret' }],
  cacheSeconds: 60,
  googleDriveFileId: 'f1',
  googleDriveFileName: 'Notes',
  googleDriveMimeType: 'text/plain',
}
const EMPTY = {
  name: 'notes',
  content: '',
  allowedValues: [],
  apiUrl: '',
  apiHeaders: {},
  googleDriveFileId: '',
  googleDriveFileName: '',
  googleDriveMimeType: '',
  cacheSeconds: 0,
  isPublic: false,
  tagIds: [],
}

test.each<[VariableType, object]>([
  ['text', { content: 'typed text' }],
  ['file', { content: 'uploads/1_notes.md' }],
  ['api', { apiUrl: 'https://example.org/notes', apiHeaders: { 'X-Key': 's3cret' }, cacheSeconds: 60 }],
  [
    'googleDrive',
    {
      googleDriveFileId: 'f1',
      googleDriveFileName: 'Notes',
      googleDriveMimeType: 'text/plain',
      cacheSeconds: 60,
    },
  ],
])('type %s sends its own fields, the others empty', (type, own) => {
  expect(requestOf({ ...filled, type })).toEqual({ ...EMPTY, type, ...own })
})

test('a stored variable in the form is sent as it was', () => {
  const { apiUrl, apiHeaders, content } = makeApiVariable()
  expect(requestOf(formOf({ variable: makeApiVariable() }))).toMatchObject({ apiUrl, apiHeaders, content })
  expect(
    requestOf(formOf({ variable: makeVariable({ type: 'file', content: 'uploads/1_a.md' }) })),
  ).toMatchObject({ type: 'file', content: 'uploads/1_a.md' })
})

test('a draft of a new header comes back without its value, and can’t be saved so', () => {
  const values = restoreDraft({ values: draftOf({ ...filled, type: 'api' }), variable: null })
  expect(values.headers).toEqual([{ name: 'X-Key', value: '' }])
  const refused = variableForm.safeParse(values).error?.issues[0]
  expect(refused).toMatchObject({
    path: ['headers', 0, 'value'],
    message: 'Give the header a value, or remove it',
  })
})

test('a password in the address is refused', () => {
  const refused = variableForm.safeParse({ ...filled, type: 'api', apiUrl: 'https://a:b@example.org/' })
  expect(refused.error?.issues[0]?.path).toEqual(['apiUrl'])
})

test.each([
  ['https://example.org/a', 'https://example.org/b?c=1', false],
  ['https://example.org/', 'https://example.org:443/', false],
  ['https://example.org/', 'http://example.org/', true],
  ['https://example.org/', 'https://example.org:8443/', true],
  ['https://example.org/', 'https://example.org.evil.test/', true],
  ['https://example.org/', 'exam', false],
])('from %s to %s is another origin: %s', (from, to, isOther) => {
  expect(changesOrigin({ from, to })).toBe(isOther)
})
