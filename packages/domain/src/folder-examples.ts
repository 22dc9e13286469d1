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
      hint: 'Writes what the label says as files, without ids: one a prompt, a chain and a suite. Commit them.',
    },
    {
      id: 'folder-push',
      client,
      label: 'Push',
      language: 'Shell',
      code: `${server}\ncatenary push library --label candidate`,
      hint: 'Makes new versions of what was changed in the files. Where both sides changed, it says so and writes nothing.',
    },
    {
      id: 'folder-check',
      client,
      label: 'CI',
      language: 'Shell',
      code: `${server}\ncatenary diff library --check\ncatenary evaluate --suite refund-reply/tone --label candidate --junit report.xml`,
      hint: 'Each ends with an exit code: what runs differs from the files, or the gate is closed.',
    },
  ]
}
