import { Banner } from '../../../components/ui/banner.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { PHONE, useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { StopButton } from './chain-run-actions.tsx'
import type { ChainRunning } from './use-chain-run.ts'

export function ChainRunBanner({ chainId, running }: { chainId: number; running: ChainRunning }) {
  const isPhone = useMediaQuery(PHONE)
  return (
    <Banner
      variant="accent"
      shape="bar"
      icon={<Spinner className="size-4" />}
      action={!isPhone && <StopButton running={running} size="sm" />}
      className="shrink-0 max-md:px-3.5"
    >
      Executing chain ID {chainId} ... Please wait for results.
    </Banner>
  )
}
