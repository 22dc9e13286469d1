import { expect, test } from 'vitest'
import { editorVariables } from './variable-kind.tsx'

test('an editor peeks at a text, an address or the name of a file in Drive, whatever was fetched last', () => {
  const variable = {
    content: 'kept',
    attachment: null,
    apiUrl: 'https://api.test/rates',
    googleDriveFileName: 'Terms',
  }
  const variables = [
    { ...variable, name: 'tone', type: 'text' as const },
    { ...variable, name: 'rates', type: 'api' as const },
    { ...variable, name: 'terms', type: 'googleDrive' as const },
  ]
  expect(editorVariables(variables)).toEqual([
    { name: 'tone', preview: 'kept' },
    { name: 'rates', preview: 'https://api.test/rates' },
    { name: 'terms', preview: 'Terms' },
  ])
})
