import {
  createProviderRequest,
  PROVIDER_KINDS,
  PROVIDER_NAME_MAX,
  type ProviderKind,
} from '@catenary/contracts'
import { CircleAlertIcon, XIcon } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { isEscape } from '../../../lib/keyboard/pressed.ts'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { cn } from '../../../lib/utils.ts'
import { type FieldErrors, fieldErrors, refusalErrors } from './form-values.ts'
import { type AddedProvider, NotTakenError, useAddProvider } from './models.queries.ts'

interface Drafts {
  apiKey: string
  baseUrl: string
  name: string
  allowsPrivateAddress: boolean
}

interface ProviderKeyFormProps {
  kind?: ProviderKind | undefined
  /** Servers of one's own too, which have an address. */
  withServers?: boolean
  onAdded: (added: AddedProvider) => void
  onClose: () => void
  className?: string
}

/** Whose keys begin so; OpenRouter's begin almost as OpenAI's, which must not get them. */
const PREFIXES: readonly [RegExp, ProviderKind][] = [
  [/^sk-ant-/, 'anthropic'],
  [/^AIza/, 'gemini'],
  [/^sk-(?!or-)/, 'openai'],
]
const VENDOR_TEST =
  'Testing lists the provider’s models and makes one short call. The key is encrypted when saved.'
const VENDORS = (Object.keys(PROVIDER_KINDS) as ProviderKind[]).filter((kind) => kind !== 'compatible')
const choiceOf = (kind: ProviderKind) => ({ value: kind, label: PROVIDER_KINDS[kind].label })

/** One field for a key, whose beginning proposes the provider. Nothing is sent before it is submitted. */
export default function ProviderKeyForm({
  kind,
  withServers = false,
  onAdded,
  onClose,
  className,
}: ProviderKeyFormProps) {
  const [drafts, setDrafts] = useState<Drafts>({
    apiKey: '',
    baseUrl: '',
    name: '',
    allowsPrivateAddress: false,
  })
  const [chosen, setChosen] = useState(kind)
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const add = useAddProvider()
  /** What the provider did not take, as it was then. */
  const [refused, setRefused] = useState<string>()
  const proposed = PREFIXES.find(([prefix]) => prefix.test(drafts.apiKey.trim()))?.[1]
  const provider = chosen ?? proposed
  const [hasAddress, setHasAddress] = useState(false)
  const isServer = provider === 'compatible'
  const change = (part: Partial<Drafts>) => {
    setDrafts({ ...drafts, ...part })
    setErrors({})
  }
  const wanted = wantedOf(provider ?? 'compatible', drafts)
  const isSure = refused === JSON.stringify(wanted)
  useShortcut({ id: 'submit', within: form, onPress: () => add.isPending || form.current?.requestSubmit() })
  const submit = async () => {
    if (provider === undefined) {
      return setErrors(
        drafts.apiKey === '' ? { apiKey: 'Key is required' } : { kind: 'Choose the provider of the key' },
      )
    }
    const parsed = createProviderRequest.safeParse(wanted)
    const problems = { ...(parsed.error && fieldErrors(parsed.error)), ...missing(provider, drafts) }
    if (Object.keys(problems).length > 0) return setErrors(problems)
    try {
      return onAdded(await add.mutateAsync({ wanted, isSure }))
    } catch (error) {
      if (error instanceof NotTakenError) setRefused(JSON.stringify(wanted))
      else setErrors(refusalErrors(error))
    }
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={withServers ? 'Add provider' : 'Add a key'}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
      onKeyDown={(event) => {
        if (!isEscape(event) || event.defaultPrevented || add.isPending) return
        event.stopPropagation()
        onClose()
      }}
      className={cn('@container grid gap-3 text-text', className)}
    >
      <div className="flex items-start gap-3">
        <p className="min-w-0 flex-1 text-sm text-text-2">
          <strong className="mr-2 font-semibold text-text">
            {withServers ? 'Add provider' : 'Add a key'}
          </strong>
          Paste a key. Catenary recognises the provider by its prefix.
        </p>
        <Button variant="ghost" size="icon-sm" aria-label="Close the form" onClick={onClose}>
          <XIcon />
        </Button>
      </div>
      {add.error && (
        <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
          {errorReason(add.error)}
        </Banner>
      )}
      <div className="grid items-start gap-3 @min-[560px]:grid-cols-[minmax(0,1fr)_220px]">
        <Field label={isServer ? 'Key, if it needs one' : 'Key'} error={errors.apiKey}>
          <Input
            ref={focusAtOnce}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            placeholder="sk-ant-…"
            value={drafts.apiKey}
            onChange={(event) => change({ apiKey: event.target.value })}
            className="font-mono text-xs"
          />
        </Field>
        <Field label="Provider" error={errors.kind}>
          <ChoiceSelect
            choices={[...VENDORS, ...(withServers ? ['compatible' as const] : [])].map(choiceOf)}
            value={provider ?? ''}
            placeholder="Choose"
            onChange={(kind) => {
              setChosen(kind)
              setErrors({})
            }}
          />
        </Field>
      </div>
      {(isServer || hasAddress) && (
        <AddressFields kind={provider ?? 'compatible'} drafts={drafts} errors={errors} onChange={change} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-xs text-text-2">
          {isServer ? 'Testing asks the server for its models.' : VENDOR_TEST}{' '}
          {withServers && !isServer && !hasAddress && (
            <Button variant="link" size="sm" onClick={() => setHasAddress(true)} className="h-auto text-xs">
              Other address
            </Button>
          )}
        </p>
        <Button type="submit" pending={add.isPending} className="ml-auto">
          {add.isPending ? 'Testing' : isSure ? 'Add anyway' : 'Test and add'}
          {!add.isPending && <ShortcutKeys id="submit" />}
        </Button>
      </div>
    </form>
  )
}

interface AddressFieldsProps {
  kind: ProviderKind
  drafts: Drafts
  errors: FieldErrors
  onChange: (part: Partial<Drafts>) => void
}

function AddressFields({ kind, drafts, errors, onChange }: AddressFieldsProps) {
  const isServer = kind === 'compatible'
  return (
    <>
      <div className="grid items-start gap-3 @min-[560px]:grid-cols-[minmax(0,1fr)_220px]">
        <Field label="Address" error={errors.baseUrl}>
          <Input
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={isServer ? 'http://localhost:11434/v1' : 'the default one'}
            value={drafts.baseUrl}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
            className="font-mono text-xs"
          />
        </Field>
        <Field label="Name" error={errors.name}>
          <Input
            autoComplete="off"
            maxLength={PROVIDER_NAME_MAX}
            placeholder={isServer ? 'Office server' : PROVIDER_KINDS[kind].label}
            value={drafts.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
      </div>
      <PrivateAddressField
        checked={drafts.allowsPrivateAddress}
        onChange={(allowsPrivateAddress) => onChange({ allowsPrivateAddress })}
      />
    </>
  )
}

/** What is empty isn't sent; without a name it has that of the vendor or of its host. */
function wantedOf(kind: ProviderKind, drafts: Drafts) {
  const [apiKey, baseUrl, name] = [drafts.apiKey.trim(), drafts.baseUrl.trim(), drafts.name.trim()]
  const usualName = kind === 'compatible' ? (URL.parse(baseUrl)?.host ?? '') : PROVIDER_KINDS[kind].label
  return {
    kind,
    name: name || usualName,
    apiKey: apiKey || undefined,
    baseUrl: baseUrl || undefined,
    allowsPrivateAddress: drafts.allowsPrivateAddress || undefined,
  }
}

function missing(kind: ProviderKind, { apiKey, baseUrl }: Drafts): FieldErrors {
  if (kind === 'compatible') return baseUrl.trim() === '' ? { baseUrl: 'Address is required' } : {}
  return apiKey.trim() === '' ? { apiKey: 'Key is required' } : {}
}

export function PrivateAddressField(props: { checked: boolean; onChange: (allows: boolean) => void }) {
  return (
    <SwitchField
      {...props}
      label="On this machine or network"
      hint="For Ollama, vLLM and the like: allows requests to private addresses, for everyone who can use its models."
    />
  )
}

/** As a ref: what was just opened, or its first field. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus()
}
