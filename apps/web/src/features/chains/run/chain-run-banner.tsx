import { Banner } from '../../../components/ui/banner.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'

export function ChainRunBanner({ chainId }: { chainId: number }) {
  return (
    <Banner
      variant="accent"
      shape="bar"
      icon={<Spinner className="size-4" />}
      className="shrink-0 max-md:px-3.5"
    >
      Executing chain ID {chainId} ... Please wait for results.
    </Banner>
  )
}
