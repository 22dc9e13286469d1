import { useId, useState } from 'react'
import { Button } from '../../../../../components/ui/button.tsx'
import type { KindFieldsProps } from '../../kind-form.ts'
import type { StepFormInput } from '../../step-input.ts'
import { httpInputOf } from './http-form.ts'
import { READY_MADE, type ReadyMade } from './ready-made.ts'

/** Fills a new call in as a known service takes it. */
export function ReadyMadeChoice({ form, maySeal }: Pick<KindFieldsProps, 'form'> & { maySeal: boolean }) {
  const labelId = useId()
  const [chosen, setChosen] = useState<ReadyMade>()
  const choose = (ready: ReadyMade) => {
    const filled = httpInputOf(ready)
    for (const [field, value] of Object.entries(maySeal ? filled : { ...filled, addressSeal: null }))
      form.setValue(field as keyof StepFormInput, value, { shouldDirty: true })
    if (['', chosen?.label].includes(form.getValues('title').trim()))
      form.setValue('title', ready.label, { shouldDirty: true })
    setChosen(ready)
  }
  return (
    <div className="grid gap-1.5">
      <section aria-labelledby={labelId} className="flex flex-wrap items-center gap-1.5">
        <span id={labelId} className="me-1 text-xs font-medium text-text-2">
          Start from
        </span>
        {READY_MADE.map((ready) => (
          <Button
            key={ready.label}
            variant="secondary"
            size="sm"
            aria-pressed={ready === chosen}
            onClick={() => choose(ready)}
            className="pointer-coarse:h-11"
          >
            {ready.label}
          </Button>
        ))}
      </section>
      <p role="status" className="text-xs text-text-3 wrap-anywhere empty:hidden">
        {chosen?.hint}
      </p>
    </div>
  )
}
