import { ShieldAlertIcon, ShieldCheckIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import type { GateState } from './evaluation-rows.ts'
import { countText } from './evaluation-text.ts'

interface GateBannerProps {
  gate: GateState
  /** The cases are still the suite's: only then it counts. */
  isCurrent: boolean
  onShow: () => void
}

export function GateBanner({
  gate: { label, version, failing, hidden },
  isCurrent,
  onShow,
}: GateBannerProps) {
  if (!isCurrent) {
    return (
      <Banner shape="bar" variant="warn" icon={<ShieldAlertIcon />}>
        <strong className="font-medium">{label} needs this suite, whose tests have changed since.</strong> Run
        it again before v{version} takes {label}.
      </Banner>
    )
  }
  if (failing === 0 && hidden > 0) {
    return (
      <Banner shape="bar" variant="warn" icon={<ShieldAlertIcon />}>
        <strong className="font-medium">
          {label} needs this suite: {countText(hidden, 'cell')} of v{version} used private values.
        </strong>{' '}
        Whether all pass is said when {label} is moved.
      </Banner>
    )
  }
  if (failing === 0) {
    return (
      <Banner shape="bar" variant="ok" icon={<ShieldCheckIcon />}>
        <strong className="font-medium">
          {label} needs this suite: all results of v{version} pass.
        </strong>{' '}
        It may take {label}.
      </Banner>
    )
  }
  const cells = countText(failing, 'result')
  return (
    <Banner
      shape="bar"
      variant="danger"
      icon={<ShieldAlertIcon />}
      action={
        <Button variant="link" onClick={onShow} className="text-danger underline">
          Show the {cells}
        </Button>
      }
    >
      <strong className="font-medium">
        {label} needs this suite: {cells} {failing === 1 ? 'fails' : 'fail'}
      </strong>{' '}
      <span className="max-md:hidden">
        v{version} takes {label} when {failing === 1 ? 'it passes' : 'all pass'}, or when an owner moves it
        with a reason.
      </span>
    </Banner>
  )
}
