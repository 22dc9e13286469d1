import { ALLOWED_VALUE_REFUSED, allowsValue, type VariableType } from '@catenary/contracts'
import { RefreshCwIcon } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { isEnter } from '../../../lib/keyboard/pressed.ts'
import { byteLength, formatBytes } from '../../../lib/text/bytes.ts'
import { truncate } from '../../../lib/text/truncate.ts'
import { cn } from '../../../lib/utils.ts'
import { MediaValue } from '../../files/media-value.tsx'
import { DriveConnect } from '../../variables/sources/drive-connect.tsx'
import { VariableTypeIcon } from '../../variables/variable-kind.tsx'
import { useFetchContents } from '../prompt-runs.queries.ts'
import { hasValue, type VariableField } from '../run-form.ts'
import { ValueInput } from './value-input.tsx'

const LABELS: Record<VariableType, string> = {
  text: 'text',
  file: 'file',
  api: 'API',
  googleDrive: 'Google Drive',
  image: 'image',
  document: 'PDF',
}
const ASKED_HINT = 'You didn’t add this name to the text. Executing fills in your value.'
const TOOLTIP_MAX = 40

export interface VariableFieldsProps {
  fields: readonly VariableField[]
  /** Names that the running answer has no value for. */
  without?: readonly string[]
  onChange: (value: { name: string; value: string }) => void
  onFetch: (field: VariableField) => Promise<void>
  onFocusChange?: (name: string | null) => void
}

export function VariableFields({
  fields,
  without = [],
  onChange,
  onFetch,
  onFocusChange,
}: VariableFieldsProps) {
  const withValue = fields.filter(hasValue).length
  return (
    <section
      aria-label="Variables"
      onKeyDown={goOn}
      onFocus={({ target }) => {
        const field = target.closest<HTMLElement>('[data-name]')
        onFocusChange?.(field?.dataset.name ?? null)
      }}
      onBlur={() => onFocusChange?.(null)}
      className="grid gap-2.5"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal text-text-2">Variables</h2>
        <p className="text-sm text-text-3">
          {fields.length === 0 ? 'none in this prompt' : `${withValue} of ${fields.length} have values`}
        </p>
      </div>
      {fields.map((field) => (
        <VariableRow
          key={field.name}
          field={field}
          isLeftOut={without.includes(field.name)}
          onChange={(value) => onChange({ name: field.name, value })}
          onFetch={() => onFetch(field)}
        />
      ))}
    </section>
  )
}

/** Enter in a value of one line leads to the next one, and from the last to Execute. */
function goOn(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: section, shiftKey } = event
  const isLine = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (!isLine || target.value.includes('\n') || shiftKey || !isEnter(event)) return
  const values = [...section.querySelectorAll<HTMLElement>('[data-value]')]
  const next = values[values.indexOf(target) + 1]
  event.preventDefault()
  const execute = section.closest('[data-runs]')?.querySelector<HTMLElement>('[data-first-focus]')
  ;(next ?? execute)?.focus()
}

interface VariableRowProps {
  field: VariableField
  isLeftOut: boolean
  onChange: (value: string) => void
  onFetch: () => Promise<void>
}

function VariableRow({ field, isLeftOut, onChange, onFetch }: VariableRowProps) {
  const fetchContents = useFetchContents()
  const id = useId()
  const { name, type, value, changed, stored, allowedValues, api, isOwnDrive, isAsked, lender } = field
  const isMedia = type === 'image' || type === 'document'
  const [isFocused, setIsFocused] = useState(false)
  const isFetched = type !== null && type !== 'text' && !isMedia
  // What was fetched is long: one line of it until it is worked on.
  const isMissing = !hasValue(field)
  const isFolded = isFetched && !changed && !isFocused
  const isRefused = value !== '' && !allowsValue(allowedValues, value)
  const problem = isRefused ? ALLOWED_VALUE_REFUSED : field.problem
  return (
    <div data-name={name} className="grid gap-1.5">
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-2">
        <label
          htmlFor={id}
          title={truncate({ text: value, max: TOOLTIP_MAX })}
          className="min-w-0 truncate text-base leading-5 font-medium"
        >
          {name}
        </label>
        <p
          id={`${id}-kind`}
          className="flex min-w-0 flex-wrap items-center gap-x-1 text-xs leading-4 wrap-anywhere text-text-3"
        >
          {type && <VariableTypeIcon type={type} className="size-3" />}
          <span className={isMissing ? 'text-warn' : undefined}>
            {type ? LABELS[type] : 'not in the library'}
            {isMissing && type && ' · no value'}
          </span>
          {isFetched && !changed && stored !== null && ` · ${formatBytes(byteLength(stored))}`}
          {isAsked && (
            <span title={ASKED_HINT} className="text-warn">
              · yours, private
            </span>
          )}
          {lender !== null && !changed && ` · from ${lender.username}${lender.isAdmin ? ', admin' : ''}`}
          {changed && (
            <>
              {' · '}
              <button
                type="button"
                className="relative text-accent-text underline-offset-3 after:absolute after:-inset-1 hover:underline pointer-coarse:after:-inset-3"
                onClick={() => onChange(stored ?? '')}
              >
                use the stored value
              </button>
            </>
          )}
        </p>
      </div>
      <div className="grid min-w-0 gap-1">
        <div className="flex min-w-0 items-start gap-1.5">
          <div
            className={cn(
              'relative min-w-0 flex-1',
              isFolded &&
                'after:pointer-events-none after:absolute after:inset-y-px after:right-px after:w-8 after:rounded-control after:bg-linear-to-l after:from-surface after:from-25%',
            )}
          >
            {isMedia ? (
              <MediaValue kind={type} field={field} onChange={onChange} />
            ) : (
              <ValueInput
                id={id}
                field={field}
                onChange={onChange}
                describedBy={problem ? `${id}-kind ${id}-problem` : `${id}-kind`}
                isMissing={isMissing}
                isRefused={isRefused}
                isFolded={isFolded}
                onFocusChange={setIsFocused}
              />
            )}
          </div>
          {api && <FetchButton name={name} onFetch={onFetch} />}
        </div>
        {isLeftOut && <p className="text-xs text-text-3">Not used for this answer.</p>}
        {problem && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <p id={`${id}-problem`} className="min-w-0 text-xs text-danger wrap-anywhere">
              {problem}
            </p>
            {isOwnDrive && <DriveConnect onConnected={fetchContents} />}
          </div>
        )}
      </div>
    </div>
  )
}

function FetchButton({ name, onFetch }: { name: string; onFetch: () => Promise<void> }) {
  const [isPending, setIsPending] = useState(false)
  const fetchNow = async () => {
    setIsPending(true)
    await onFetch()
    setIsPending(false)
  }
  return (
    <Button
      variant="secondary"
      aria-label={`Fetch API: ${name}`}
      pending={isPending}
      onClick={() => void fetchNow()}
    >
      {!isPending && <RefreshCwIcon />}
      Fetch API
    </Button>
  )
}
