import { TOKEN_TEXTS } from '@catenary/contracts'
import { RelativeTime } from '../../components/time/relative-time.tsx'

/** How long ago, or never. */
export function LastUsed({ time }: { time: string | null }) {
  return time === null ? TOKEN_TEXTS.neverUsed : <RelativeTime time={time} />
}

/** How long ago, or unknown. */
export function CreatedAt({ time }: { time: string }) {
  return Number.isNaN(Date.parse(time)) ? TOKEN_TEXTS.unknownTime : <RelativeTime time={time} />
}
