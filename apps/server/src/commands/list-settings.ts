import { readSettings, settingsInForce } from '../platform/settings/settings.ts'

export function describeSettings({ json = false }: { json?: boolean } = {}): string {
  readSettings()
  const settings = settingsInForce()
  if (json) return JSON.stringify(settings, null, 2)
  const width = Math.max(...settings.map(({ name }) => name.length))
  return settings
    .map(({ name, value, source }) => `${name.padEnd(width)}  ${source.padEnd(11)}  ${value ?? '–'}`)
    .join('\n')
}
