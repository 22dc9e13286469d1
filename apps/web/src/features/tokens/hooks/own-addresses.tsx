import type { Chain, OwnToken, OwnTokenDetails } from '@catenary/contracts'
import { HOOK_DELIVERY_HEADERS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CopyIcon, LockIcon, PlusIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { nameOf } from '../token-texts.ts'
import { tokenQuery } from '../tokens.queries.ts'
import { useCopyToken } from '../use-copy-token.ts'
import { Deliveries } from './deliveries.tsx'
import { FORM_NAMES, hiddenAddress, hookCurl } from './hook-texts.ts'
import { ownHooksQuery } from './hooks.queries.ts'

export interface OwnAddressesProps {
  chain: Chain
  onCreate: () => void
  onEdit: (token: { id: number }) => void
}

/** Where services start the chain by themselves, and what came in there. */
export function OwnAddresses({ chain, onCreate, onEdit }: OwnAddressesProps) {
  const { data, error, refetch } = useQuery(ownHooksQuery)
  const [chosen, choose] = useState<number | null>(null)
  const hooks = data?.filter(({ chainId }) => chainId === chain.id)
  const hook = hooks?.find(({ id }) => id === chosen) ?? hooks?.[0]
  const create = (
    <Button variant="secondary" size="sm" onClick={onCreate}>
      <PlusIcon />
      New address
    </Button>
  )
  return (
    <>
      <section
        id="own-address"
        aria-label="Own address"
        className="@container grid min-w-0 grid-cols-[minmax(0,1fr)] scroll-mt-4 rounded-card border border-line bg-surface"
      >
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 pr-2.5 pl-3.5">
          <h3 className="text-sm font-semibold tracking-normal">Own address</h3>
          <p className="text-sm text-text-3">takes JSON, a form or text, up to 1 MB</p>
          {!hook && <span className="ml-auto">{hooks && create}</span>}
        </div>
        {!hooks && !error && (
          <div role="status" className="grid gap-2 p-3.5">
            <span className="sr-only">Loading addresses</span>
            <Skeleton className="h-9" />
          </div>
        )}
        {!hooks && error && (
          <ErrorState
            title="The addresses could not be loaded"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
        {hooks && !hook && (
          <p className="p-3.5 text-sm text-text-2">
            A form, a ticket system or GitHub starts this chain by a POST to an address of its own.{' '}
            <LearnMore about="ownAddress" />
          </p>
        )}
        {hooks && hook && (
          <ShownAddress
            key={hook.id}
            hook={hook}
            choice={<AddressChoice hooks={hooks} hook={hook} onChoose={choose} />}
            create={create}
            onEdit={() => onEdit(hook)}
          />
        )}
      </section>
      {hook && <Deliveries hook={hook} />}
    </>
  )
}

interface AddressChoiceProps {
  hooks: readonly OwnToken[]
  hook: OwnToken
  onChoose: (id: number) => void
}

function AddressChoice({ hooks, hook, onChoose }: AddressChoiceProps) {
  if (hooks.length === 1) return <AddressFor hook={hook} />
  return (
    <div className="flex min-w-0 items-center gap-1.5 text-sm">
      <span className="shrink-0 text-text-2">Address for</span>
      <ChoiceSelect
        choices={hooks.map((each) => ({ value: String(each.id), label: nameOf(each) }))}
        value={String(hook.id)}
        onChange={(id) => onChoose(Number(id))}
        trigger={{
          'aria-label': 'Address for',
          className: 'h-7 w-auto min-w-0 border-transparent bg-transparent px-1 text-sm font-medium',
        }}
      />
    </div>
  )
}

export function AddressFor({ hook }: { hook: OwnToken }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-sm">
      <span className="shrink-0 text-text-2">Address for</span>
      <span dir="auto" className="min-w-0 truncate font-medium">
        {nameOf(hook)}
      </span>
    </p>
  )
}

interface ShownAddressProps {
  hook: OwnToken
  choice: ReactNode
  create: ReactNode
  onEdit: () => void
}

/** Its address, how calls are signed and tried, and what it fills in. */
export function ShownAddress({ hook, choice, create, onEdit }: ShownAddressProps) {
  const { data: details } = useQuery(tokenQuery(hook.id))
  const { copy, isPending } = useCopyToken(hook)
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] divide-line @max-3xl:divide-y @3xl:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] @3xl:divide-x">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-3.5">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
            {choice}
            <div className="flex min-w-0 items-center gap-2">
              <code
                dir="ltr"
                title={hiddenAddress(hook.token)}
                className="block h-9 min-w-0 flex-1 truncate rounded-control border border-line px-2.5 font-mono text-xs/9"
              >
                {hiddenAddress(hook.token)}
              </code>
              <Button
                variant="secondary"
                title={hook.canReveal ? undefined : NOT_KEPT}
                aria-disabled={!hook.canReveal || isPending || undefined}
                onClick={() => hook.canReveal && !isPending && copy()}
              >
                <CopyIcon />
                Copy
              </Button>
            </div>
            <p className="text-xs text-text-3">
              Whoever has it can start this chain. Give each service its own.
            </p>
          </div>
          {details && <ShownSignature details={details} />}
        </div>
        <TryIt details={details} />
      </div>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line py-1.5 pr-2.5 pl-3.5 text-sm">
        {details && <Consents details={details} />}
        <Button variant="ghost" size="sm" onClick={onEdit}>
          Change
        </Button>
        <span className="ml-auto">{create}</span>
      </div>
    </>
  )
}

const NOT_KEPT = 'This server doesn’t store token values. Rotate the token to get a new address.'

function ShownSignature({ details: { signature, deliveryHeader, createdBy } }: { details: OwnTokenDetails }) {
  const known = deliveryHeader === null ? HOOK_DELIVERY_HEADERS : [deliveryHeader]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm">
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
        <h4 className="text-sm font-normal tracking-normal text-text-2">Signature</h4>
        {signature && <code className="font-mono text-xs text-text-3 wrap-anywhere">{signature.header}</code>}
      </div>
      <p className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-2 rounded-control border border-line px-2.5">
        {signature ? (
          <>
            <LockIcon aria-hidden className="size-4 shrink-0 text-text-3" />
            <span className="font-medium">{FORM_NAMES[signature.form]}</span>
            <span className="ml-auto min-w-0 text-text-3">
              set by {createdBy}, <Time time={signature.setAt} as="day" />
            </span>
          </>
        ) : (
          <span>{FORM_NAMES.none}</span>
        )}
      </p>
      <p className="text-xs text-text-3">
        {signature && 'A call without the right signature starts nothing. '}
        Repeats are known by{' '}
        {known.map((name, index) => (
          <span key={name}>
            {index > 0 && ' or '}
            <code className="font-mono wrap-anywhere">{name}</code>
          </span>
        ))}
        .
      </p>
    </div>
  )
}

function TryIt({ details }: { details: OwnTokenDetails | undefined }) {
  const code = details && hookCurl(details)
  const form = details?.signature?.form
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 p-3.5 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h4 className="text-sm font-normal tracking-normal text-text-2">Try it</h4>
        {form && (
          <p className="text-text-3">
            a signed call{form !== 'plain' && `, as ${FORM_NAMES[form]} makes it`}
          </p>
        )}
      </div>
      {code ? (
        <div className="relative min-w-0 rounded-control border border-line bg-inset">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a line that is too long is scrolled by keys */}
          <pre dir="ltr" tabIndex={0} className="overflow-x-auto p-3 pb-11 font-mono text-xs/5">
            {code}
          </pre>
          <CopyButton text={code} showLabel label="Copy" className="absolute right-2 bottom-2 bg-surface" />
        </div>
      ) : (
        <Skeleton className="h-28" />
      )}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-text-3">
        <Badge variant="ok">202</Badge>
        <code dir="ltr" className="font-mono text-xs text-text">
          {'{ "executionId": 413 }'}
        </code>
        right away, while the run goes on
      </p>
    </div>
  )
}

function Consents({ details: { fills, sends } }: { details: OwnTokenDetails }) {
  const names = [...new Set(fills.map(({ name }) => name))]
  const places = sends.length
  return (
    <p className="min-w-0 text-text-2 wrap-anywhere">
      {names.length === 0 ? (
        'Fills in no private value'
      ) : (
        <>
          Fills <span className="font-medium text-text">{names.join(', ')}</span>
        </>
      )}
      {places > 0 && ` · may send to ${places} ${places === 1 ? 'place' : 'places'}`}
    </p>
  )
}
