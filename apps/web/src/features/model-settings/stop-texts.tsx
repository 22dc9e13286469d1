import { STOP_MAX } from '@catenary/contracts'
import { PlusIcon, XIcon } from 'lucide-react'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../components/focus-target.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { useLacks } from './model-settings.tsx'
import type { SettingsForm } from './settings-value.ts'

export interface StopTextsProps {
  form: SettingsForm
  /** What it can't do is said beside the field; null: none is chosen. */
  model: string | null
}

export function StopTexts({ form, model }: StopTextsProps) {
  const id = useId()
  const { stop: lack } = useLacks({ form, model })
  const { stop: refused } = form.formState.errors
  const error = refused?.message ?? refused?.find?.((one) => one?.message !== undefined)?.message
  return (
    <Controller
      control={form.control}
      name="stop"
      render={({ field: { ref, value, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector="textarea, button">
          <fieldset
            aria-describedby={lack && id}
            onBlur={onBlur}
            className="grid grid-cols-[minmax(0,1fr)] gap-1.5"
          >
            <legend className="mb-1.5 text-xs font-medium text-text-2">Stop texts</legend>
            {value.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text is known by its place alone.
              <div key={index} className="flex items-start gap-1">
                <Textarea
                  aria-label={`Stop text ${index + 1}`}
                  aria-invalid={error ? true : undefined}
                  rows={1}
                  value={text}
                  onChange={(event) => onChange(value.with(index, event.target.value))}
                  className="min-h-[34px] resize-none font-mono pointer-coarse:min-h-11"
                />
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove stop text ${index + 1}`}
                  onClick={() => onChange(value.toSpliced(index, 1))}
                >
                  <XIcon />
                </Button>
              </div>
            ))}
            <Button
              variant="ghost"
              size="sm"
              disabled={value.length >= STOP_MAX}
              onClick={() => onChange([...value, ''])}
              className="-ml-1.5 justify-self-start px-1.5"
            >
              <PlusIcon />
              Add stop text
            </Button>
            {value.length >= STOP_MAX && (
              <p className="text-xs text-text-3">Every model accepts up to {STOP_MAX} stop texts.</p>
            )}
            {lack && (
              <p id={id} className="text-xs text-warn wrap-anywhere">
                {lack}
              </p>
            )}
            {error && (
              <p role="alert" className="text-xs text-danger wrap-anywhere">
                {error}
              </p>
            )}
          </fieldset>
        </FocusTarget>
      )}
    />
  )
}
