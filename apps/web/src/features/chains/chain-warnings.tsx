import type { ChainStep } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { TriangleAlertIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'

export function ChainWarnings({
  warnings,
  steps,
}: {
  warnings: readonly ChainWarning[]
  steps: readonly ChainStep[]
}) {
  if (warnings.length === 0) return null
  const indexes = [...new Set(warnings.flatMap(({ step }) => step ?? []))]
  return (
    <Banner role="note" aria-label="Warnings" icon={<TriangleAlertIcon />} className="md:ml-[76px]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`} to read before you run this
          chain:
        </span>{' '}
        {indexes.map((index) => (
          <Button
            key={index}
            variant="link"
            className="text-warn underline"
            onClick={() => showStep(steps[index]?.id)}
          >
            step {index + 1}
          </Button>
        ))}
      </p>
    </Banner>
  )
}

function showStep(id: number | undefined): void {
  const step = document.querySelector<HTMLElement>(`[data-step-id="${id}"]`)
  step?.scrollIntoView({ block: 'center' })
  step?.querySelector<HTMLElement>('[data-step-title]')?.focus({ preventScroll: true })
}
