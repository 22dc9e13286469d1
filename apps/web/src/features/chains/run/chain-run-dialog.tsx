import { type AskedSend, type ExecuteChainRequest, USER_INPUT_MAX } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { TriangleAlertIcon } from 'lucide-react'
import { useReducer, useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { MediaValue } from '../../files/media-value.tsx'
import { SendsField } from '../../fills/sends-field.tsx'
import { ShownFills } from '../../fills/shown-fills.tsx'
import type { MediaVariable } from '../../variables/media-variables.ts'
import { WarningText, type WaysOutOf } from '../warning-text.tsx'
import type { RunFrom } from './chain-run.ts'

export interface ChainRunDialogProps {
  warnings: readonly ChainWarning[]
  waysOut: WaysOutOf
  input: string | null
  media: readonly MediaVariable[]
  /** Names of the person's private variables that others brought into the steps: running fills them in (D69). */
  fills: readonly string[]
  /** Where private values would go: a run begins once each place is allowed (D89). */
  sends: readonly AskedSend[]
  /** Somebody else, with whose credential steps act. */
  actsAs: string | undefined
  /** The step of an earlier run at which it begins. */
  from: RunFrom | undefined
  onRun: (request: ExecuteChainRequest) => void
  onClose: () => void
}

export function ChainRunDialog(props: ChainRunDialogProps) {
  const { warnings, waysOut, input, media, fills, sends, actsAs, from, onRun, onClose } = props
  const [text, setText] = useState(input ?? '')
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const [uploads, countUpload] = useReducer(
    (count: number, isBegun: boolean) => count + (isBegun ? 1 : -1),
    0,
  )
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(
    () => new Set(sends.filter(({ isConfirmed }) => isConfirmed).map(({ destination }) => destination)),
  )
  const isAllowed = sends.every(({ destination }) => allowed.has(destination))
  const isReady = uploads === 0 && isAllowed
  const isAsked = input !== null || media.length > 0 || fills.length > 0 || sends.length > 0
  return (
    <FormDialog
      onClose={onClose}
      title={from ? `Run from step ${from.position + 1}` : 'Execute Chain'}
      description={
        from
          ? takenOverText(from)
          : isAsked
            ? undefined
            : warnings.length > 0
              ? 'Check this before you run it.'
              : 'Ready to run.'
      }
      submitLabel={warnings.length > 0 ? 'Run anyway' : from ? 'Run from here' : 'Execute Chain'}
      submitDisabled={!isReady}
      footerStart={!isAllowed && <span role="status">Allow the places first</span>}
      onSubmit={() => {
        // Enter in a field submits too.
        if (isReady)
          onRun(requestOf({ input: input === null ? null : text, media, fills, sends, chosen, from }))
      }}
    >
      {input !== null && (
        <Field label="Input" hint="Fills in {{input}} and {{input_context}} in the steps.">
          <Textarea
            rows={5}
            maxLength={USER_INPUT_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="max-h-[40vh]"
          />
        </Field>
      )}
      {media.map(({ name, kind, ...held }) => (
        <div key={name} className="grid min-w-0 gap-1.5">
          <p aria-hidden="true" className="truncate text-xs font-medium text-text-2">
            {name}
          </p>
          <MediaValue
            kind={kind}
            field={{ ...held, name, value: chosen.get(name) ?? held.stored ?? '' }}
            onChange={(value) => setChosen(new Map(chosen).set(name, value))}
            onBusyChange={countUpload}
          />
        </div>
      ))}
      {actsAs !== undefined && (
        <p className="text-sm text-text-2">Calls to services act with {actsAs}’s credential.</p>
      )}
      <ShownFills names={fills} place="chain" act="Executing" />
      <SendsField
        sends={sends}
        isAllowed={({ destination }) => allowed.has(destination)}
        onChange={({ destination }, isChosen) => {
          const others = [...allowed].filter((other) => other !== destination)
          setAllowed(new Set(isChosen ? [...others, destination] : others))
        }}
      />
      {warnings.length > 0 && (
        <Banner role="note" aria-label="Warnings" icon={<TriangleAlertIcon className="self-start" />}>
          <ul className="grid gap-1">
            {warnings.map((warning) => (
              <li key={`${warning.kind}.${warning.step}.${warning.name}`}>
                {warning.step !== null && <span className="font-medium">Step {warning.step + 1}: </span>}
                <WarningText warning={warning} ways={waysOut(warning)} />
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </FormDialog>
  )
}

function takenOverText({ executionId, position }: RunFrom): string {
  const steps = position === 1 ? 'Step 1 is' : `Steps 1 ${position === 2 ? 'and' : 'to'} ${position} are`
  return `${steps} taken over from execution #${executionId}, with its input, and will not be paid for again.`
}

function requestOf({
  input,
  media,
  fills,
  sends,
  chosen,
  from,
}: Pick<ChainRunDialogProps, 'input' | 'media' | 'fills' | 'sends' | 'from'> & {
  chosen: ReadonlyMap<string, string>
}): ExecuteChainRequest {
  const own = media.flatMap(({ name, stored }) => {
    const value = chosen.get(name) ?? ''
    return value === '' || value === stored ? [] : [[name, value] as const]
  })
  return {
    ...(input !== null && { input }),
    ...(own.length > 0 && { variableValues: Object.fromEntries(own) }),
    ...(fills.length > 0 && { fills: [...fills] }),
    ...(sends.length > 0 && { sends: sends.map(({ destination }) => destination) }),
    ...(from && { from }),
  }
}
