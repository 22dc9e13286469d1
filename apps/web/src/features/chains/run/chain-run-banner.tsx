import { HourglassIcon } from 'lucide-react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { PHONE, useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { WaitingLine } from '../../asks/waiting-line.tsx'
import { StopButton } from './chain-run-actions.tsx'
import type { ChainRunning } from './use-chain-run.ts'

export function ChainRunBanner({ chainId, running }: { chainId: number; running: ChainRunning }) {
  const isPhone = useMediaQuery(PHONE)
  const { phase, run } = running
  const waiting = phase === 'waiting' ? run?.waitingFor : undefined
  if (phase !== 'executing' && !waiting) return null
  return (
    <Banner
      variant="accent"
      shape="bar"
      icon={waiting ? <HourglassIcon /> : <Spinner className="size-4" />}
      action={!isPhone && <StopButton running={running} size="sm" />}
      className="shrink-0 max-md:px-3.5"
    >
      {waiting ? (
        <WaitingLine waiting={waiting} />
      ) : (
        `Executing chain ID ${chainId} ... Please wait for results.`
      )}
    </Banner>
  )
}
