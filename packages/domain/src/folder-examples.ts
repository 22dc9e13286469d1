import type { ApiExample } from './api-examples.ts'

export function folderExamples({
  address,
  token,
}: {
  address: string
  token?: string | undefined
}): ApiExample[] {
  const client = 'CLI'
  const server = `export CATENARY_URL=${address} CATENARY_TOKEN${token === undefined ? '' : `=${token}`}`
  return [
    {
      id: 'folder-pull',
      client,
      label: 'Pull',
      language: 'Shell',
      code: `${server}\ncatenary pull library --label production`,
      hint: 'Writes what the label points to as files, without ids: one for each prompt, chain and suite. Commit them.',
    },
    {
      id: 'folder-push',
      client,
      label: 'Push',
      language: 'Shell',
      code: `${server}\ncatenary push library --label candidate`,
      hint: 'Creates new versions of what you changed in the files. If the server changed too, it says so and writes nothing.',
    },
    {
      id: 'folder-check',
      client,
      label: 'CI',
      language: 'Shell',
      code: `${server}\ncatenary diff library --check\ncatenary evaluate --suite refund-reply/tone --label candidate --junit report.xml`,
      hint: 'Each has an exit code for CI: 1 if what runs differs from the files, or if a test fails.',
    },
  ]
}
