import { TOKEN_TEXTS } from '@catenary/contracts'
import { RelativeTime } from '../../components/time/relative-time.tsx'

export function LastUsed({ time }: { time: string | null }) {
  return time === null ? TOKEN_TEXTS.neverUsed : <RelativeTime time={time} />
}

export function CreatedAt({ time }: { time: string }) {
  return Number.isNaN(Date.parse(time)) ? TOKEN_TEXTS.unknownTime : <RelativeTime time={time} />
}
