import type { ActivityVerdict } from '../../database/statements/activity-chain.ts'

export function explainActivity({ links, until, problem }: ActivityVerdict): string {
  if (problem !== null) return `${problem}.`
  if (until === null) return 'The activity has no rows in its chain yet'
  const rows = `${links.toLocaleString('en')} ${links === 1 ? 'row' : 'rows'}`
  return `The activity is unchanged: ${rows} up to ${until}`
}
