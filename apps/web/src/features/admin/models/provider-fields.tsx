import { PROVIDER_KINDS, PROVIDER_NAME_MAX, type ProviderKind } from '@catenary/contracts'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import type { FieldErrors } from './form-values.ts'

export interface ProviderDrafts {
  kind: ProviderKind
  name: string
  baseUrl: string
  apiKey: string
  allowsPrivateAddress: boolean
}

const KINDS = (Object.keys(PROVIDER_KINDS) as ProviderKind[]).map((kind) => ({
  value: kind,
  label: kind === 'compatible' ? 'OpenAI-compatible' : PROVIDER_KINDS[kind].label,
}))

interface ProviderFieldsProps {
  drafts: ProviderDrafts
  errors: FieldErrors
  onChange: (part: Partial<ProviderDrafts>) => void
  /** What the provider is asked by is complete for now. */
  onRest: () => void
}

/** Where models are asked, and with which key. */
export function ProviderFields({ drafts, errors, onChange, onRest }: ProviderFieldsProps) {
  const { kind, name, baseUrl, apiKey, allowsPrivateAddress } = drafts
  const isCompatible = kind === 'compatible'
  return (
    <>
      <div className="grid items-start gap-3 @min-[560px]:grid-cols-2 @min-[900px]:grid-cols-4">
        <Field label="Kind" error={errors.kind}>
          <ChoiceSelect
            choices={KINDS}
            value={kind}
            onChange={(kind) => onChange({ kind })}
            onBlur={onRest}
          />
        </Field>
        <Field label="Name" error={errors.name}>
          <Input
            ref={focusAtOnce}
            autoComplete="off"
            maxLength={PROVIDER_NAME_MAX}
            placeholder="Office server"
            value={name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
        <Field label="Address" error={errors.baseUrl}>
          <Input
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={isCompatible ? 'http://localhost:11434/v1' : 'the usual one'}
            value={baseUrl}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
            onBlur={onRest}
            className="font-mono text-xs"
          />
        </Field>
        <Field label={isCompatible ? 'Key, if it needs one' : 'Key'} error={errors.apiKey}>
          <Input
            type="password"
            autoComplete="off"
            placeholder={isCompatible ? 'none' : ''}
            value={apiKey}
            onChange={(event) => onChange({ apiKey: event.target.value })}
            onBlur={onRest}
          />
        </Field>
      </div>
      <PrivateAddressField
        checked={allowsPrivateAddress}
        onChange={(allowsPrivateAddress) => onChange({ allowsPrivateAddress })}
      />
    </>
  )
}

/** Lets a provider lie on this machine or network. */
export function PrivateAddressField(props: { checked: boolean; onChange: (allows: boolean) => void }) {
  return (
    <SwitchField
      {...props}
      label="On this machine or network"
      hint="For Ollama, vLLM and the like: the server then asks private addresses for this provider, on behalf of everyone who may use its models."
    />
  )
}

/** As a ref: the first field of a form that was just opened. */
export function focusAtOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
