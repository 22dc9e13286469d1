import { ShieldAlertIcon, ShieldCheckIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { countText } from '../../lib/text/count-text.ts'
import type { GateState } from './evaluation-rows.ts'

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
        <strong className="font-medium">
          {label} requires this suite to pass, but its tests have changed.
        </strong>{' '}
        Run it again before v{version} can become {label}.
      </Banner>
    )
  }
  if (failing === 0 && hidden > 0) {
    return (
      <Banner shape="bar" variant="warn" icon={<ShieldAlertIcon />}>
        <strong className="font-medium">
          {label} requires this suite to pass: {countText(hidden, 'result')} of v{version} used private
          values.
        </strong>{' '}
        Move {label} to see whether all pass.
      </Banner>
    )
  }
  if (failing === 0) {
    return (
      <Banner shape="bar" variant="ok" icon={<ShieldCheckIcon />}>
        <strong className="font-medium">
          {label} requires this suite to pass: all results of v{version} do.
        </strong>{' '}
        It can become {label}.
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
          Show {failing === 1 ? 'result' : cells}
        </Button>
      }
    >
      <strong className="font-medium">
        {label} requires this suite to pass: {cells} {failing === 1 ? 'fails' : 'fail'}
      </strong>{' '}
      <span className="max-md:hidden">
        v{version} can become {label} once {failing === 1 ? 'it passes' : 'all pass'}, or if an owner moves it
        with a reason.
      </span>
    </Banner>
  )
}
