import { type Fields, isFields } from '../promptfoo/draft.ts'
import { isEmpty, listOf, type Report, within } from './draft.ts'

export function withNewestVersion(
  entry: Fields,
  { at, report }: { at: string; report: Report },
): { fields: Fields; version: string } {
  const versions = listOf(entry.versions).filter(isFields)
  const [first, ...others] = versions
  if (!isEmpty(entry.versions) && versions.length < [entry.versions].flat().length)
    report.lose(within(at, 'versions'), 'Some are no versions of a prompt', entry.versions)
  if (first === undefined) return { fields: entry, version: labelOf(entry) }
  const newest = others.reduce((best, each) => (versionOf(each) > versionOf(best) ? each : best), first)
  versions.forEach((each, index) => {
    if (each === newest) return
    const place = within(within(at, 'versions'), `[${index}]`)
    report.lose(place, `Version ${versionOf(each)} stays behind: the newest one comes along`, each)
  })
  if (!isEmpty(newest.versions))
    report.lose(within(at, 'versions'), 'Versions of a version are kept as a note', newest.versions)
  return { fields: { ...entry, ...newest, versions: [] }, version: labelOf(newest) }
}

export function versionOf(fields: Fields): number {
  const number = Number(labelOf(fields))
  return Number.isFinite(number) ? number : 0
}

function labelOf({ version, prompt }: Fields): string {
  const own = version ?? (isFields(prompt) ? prompt.version : undefined)
  return typeof own === 'string' || typeof own === 'number' ? String(own).slice(0, 20) : ''
}
