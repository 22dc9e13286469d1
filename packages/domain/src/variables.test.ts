import { expect, it } from 'vitest'
import { findVariable, variablePlaceholder } from './variables.ts'

it('finds the person’s own variable first, whatever its case, else an admin’s, else the oldest', () => {
  const strangers = [
    { id: 9, name: 'tone', owner: 'ada', ownerIsAdmin: false },
    { id: 5, name: 'TONE', owner: 'linus', ownerIsAdmin: false },
    { id: 3, name: 'Tone', owner: 'grace', ownerIsAdmin: false },
  ]
  expect(findVariable({ name: 'tone', variables: strangers, username: 'edsger' })?.id).toBe(3)
  const variables = [
    ...strangers,
    { id: 8, name: 'TONE', owner: 'root', ownerIsAdmin: true },
    { id: 7, name: 'tone', owner: 'admin', ownerIsAdmin: true },
  ]
  expect(findVariable({ name: 'tone', variables, username: 'ada' })?.id).toBe(9)
  expect(findVariable({ name: 'tone', variables, username: 'edsger' })?.id).toBe(7)
  expect(findVariable({ name: 'other', variables, username: 'ada' })).toBeUndefined()
})

it.each([
  ['text', ''],
  ['api', 'API content will appear here after fetching'],
  ['file', 'File content will appear here'],
  ['googleDrive', 'Google Drive file: Terms'],
  ['video', 'Unsupported variable type'],
])(
  'Values that are not there have placeholders: ‘Error loading content: {reason}’, ‘Unsupported variable type’ and others. (%s)',
  (type, placeholder) => {
    expect(variablePlaceholder({ type, googleDriveFileName: 'Terms' })).toBe(placeholder)
  },
)

it('takes a Drive file without a known name for one that is loading', () => {
  expect(variablePlaceholder({ type: 'googleDrive', googleDriveFileName: '' })).toBe(
    'Google Drive file: Loading...',
  )
})
