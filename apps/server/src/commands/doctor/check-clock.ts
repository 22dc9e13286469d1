import { CLOCK_HARMFUL_MS, CLOCK_NOTICEABLE_MS } from '../../database/server/server-troubles.ts'
import { type Finding, notAsked, ok, problem, warning } from './finding.ts'

const SYNCHRONISE = 'Have both machines set their clocks by the network: sudo timedatectl set-ntp true'

export function checkClock({
  isEmbedded,
  databaseAheadMs,
  publicAheadMs,
}: {
  isEmbedded: boolean
  databaseAheadMs: number | undefined
  publicAheadMs: number | undefined
}): Finding[] {
  return [
    isEmbedded
      ? ok('The embedded database has this clock')
      : compare({ name: 'the database’s', aheadMs: databaseAheadMs }),
    compare({ name: 'the one that answers at PUBLIC_URL', aheadMs: publicAheadMs }),
  ]
}

function compare({ name, aheadMs }: { name: string; aheadMs: number | undefined }): Finding {
  if (aheadMs === undefined) return notAsked(`This clock against ${name}: it was not reached`)
  const off = Math.abs(aheadMs)
  const seconds = (off / 1000).toFixed(1)
  if (off < CLOCK_NOTICEABLE_MS) return ok(`This clock and ${name} agree`)
  const said = `This clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}`
  return off < CLOCK_HARMFUL_MS ? warning(said, SYNCHRONISE) : problem(said, SYNCHRONISE)
}
