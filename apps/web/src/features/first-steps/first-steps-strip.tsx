import { FIRST_STEPS, type FirstStep, type FirstSteps } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheckIcon, CircleDotIcon, CircleIcon, XIcon } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../../components/ui/button.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { areAllDone, firstStepsQuery, TRY_SANDBOX, useEndFirstSteps } from './first-steps.queries.ts'

const TITLES: Record<FirstStep, string> = {
  model: 'Add a model key',
  run: 'Run a prompt',
  chain: 'Chain two prompts',
  code: 'Call it from code',
}

const HOME = ['/', '/chains']

const STORAGE_KEY = 'catenary.first-steps'

/** Until the server says it: whose steps are over wants no place held for them. */
function wereGone(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'gone'
  } catch {
    return false
  }
}

function rememberGone(isGone: boolean): void {
  try {
    if (isGone) localStorage.setItem(STORAGE_KEY, 'gone')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {}
}

interface FirstStepsStripProps {
  onAddKey: () => void
  /** Until a run shows it, only who chose it knows. */
  isInSandbox: boolean
  onSandbox: () => void
}

export function FirstStepsStrip({ onAddKey, isInSandbox, onSandbox }: FirstStepsStripProps) {
  const { status, user } = useSession()
  const [path] = useLocation()
  const client = useQueryClient()
  const { data: known, error } = useQuery({ ...firstStepsQuery, enabled: user !== null })
  const data = known && { ...known, done: { ...known.done, model: known.done.model || isInSandbox } }
  const { mutate: end } = useEndFirstSteps()
  const [wasOpen, setWasOpen] = useState(false)
  const isDone = data !== undefined && areAllDone(data)
  if (data && !isDone && !wasOpen) setWasOpen(true)
  const endsNow = isDone && data?.isOver === false
  useEffect(() => {
    if (endsNow) end()
  }, [endsNow, end])
  const isGone = data !== undefined && (data.isOver || (isDone && !wasOpen))
  const [wasGone] = useState(wereGone)
  useEffect(() => {
    if (data !== undefined) rememberGone(isGone)
  }, [data, isGone])
  // A phone has space for it on the home pages only.
  const place = cn('min-h-12 shrink-0', !HOME.includes(path) && 'max-md:hidden')
  const isAwaited = status === 'loading' || (user !== null && error === null)
  if (!data) return isAwaited && !wasGone ? <div aria-hidden="true" className={place} /> : null
  if (isGone) return null
  const next = FIRST_STEPS.find((step) => !data.done[step])
  const count = FIRST_STEPS.filter((step) => data.done[step]).length
  const putAway = () => {
    client.setQueryData(firstStepsQuery.queryKey, { ...data, isOver: true })
    if (!endsNow) end()
  }
  return (
    <section
      aria-labelledby="first-steps"
      className={cn(
        place,
        'flex items-center gap-3 border-b border-line bg-inset px-6 max-md:gap-2 max-md:px-3.5',
      )}
    >
      <h2 id="first-steps" className="shrink-0 text-sm font-semibold">
        <span className="max-md:sr-only">First steps </span>
        <span className="font-normal text-text-2 tabular-nums">{count} of 4</span>
      </h2>
      <ol className="flex min-w-0 flex-1 items-center gap-2">
        {FIRST_STEPS.map((step, index) => (
          <Fragment key={step}>
            {index > 0 && <li aria-hidden="true" className="h-px w-3.5 shrink-0 bg-line max-xl:hidden" />}
            <li
              className={cn(
                'min-w-0',
                step !== next && next !== undefined && 'max-xl:hidden',
                next === undefined && index > 0 && 'max-xl:hidden',
              )}
            >
              <Step
                step={step}
                data={data}
                onAddKey={onAddKey}
                onSandbox={onSandbox}
                isNext={step === next}
              />
            </li>
          </Fragment>
        ))}
      </ol>
      <Button variant="ghost" size="icon-sm" aria-label="Hide first steps" onClick={putAway}>
        <XIcon />
      </Button>
    </section>
  )
}

interface StepProps {
  step: FirstStep
  data: FirstSteps
  isNext: boolean
  onAddKey: () => void
  onSandbox: () => void
}

function Step({ step, data, isNext, onAddKey, onSandbox }: StepProps) {
  const { isAdmin } = useSession()
  const isDone = data.done[step]
  const Icon = isDone ? CircleCheckIcon : isNext ? CircleDotIcon : CircleIcon
  const place =
    'flex min-h-8 min-w-0 items-center gap-2 rounded-control text-sm pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'
  const shown = (
    <>
      <Icon aria-hidden="true" className={isDone ? 'text-ok' : undefined} />
      <span className={cn('truncate', isNext && 'font-semibold')}>{titleOf({ step, data, isAdmin })}</span>
      {isDone && <span className="sr-only">(done)</span>}
    </>
  )
  const look = cn(place, isNext ? 'text-accent-text' : 'text-text-2 hover:text-text')
  if (step === 'model' && !isDone) {
    return (
      <div
        className={cn('flex min-w-0 items-center gap-2 px-2.5', isNext && 'rounded-control bg-accent-soft')}
      >
        <button type="button" className={look} onClick={onAddKey}>
          {shown}
        </button>
        <Link
          href={data.promptId === null ? '/' : addressOf('run', data)}
          state={TRY_SANDBOX}
          onClick={onSandbox}
          className="truncate text-sm leading-8 text-text-2 underline-offset-3 hover:underline pointer-coarse:leading-11"
        >
          or <span className="max-md:hidden">continue in the </span>sandbox
        </Link>
      </div>
    )
  }
  if (step === 'model') return <span className={cn(place, 'px-2.5 text-text-2')}>{shown}</span>
  return (
    <Link href={addressOf(step, data)} className={cn(look, 'px-2.5', isNext && 'bg-accent-soft')}>
      {shown}
    </Link>
  )
}

function titleOf({ step, data, isAdmin }: { step: FirstStep; data: FirstSteps; isAdmin: boolean }): string {
  if (step !== 'model' || !data.done.model) return TITLES[step]
  if (data.hasKey) return 'A model is set up'
  return isAdmin ? 'Using the sandbox for now' : 'The sandbox answers'
}

function addressOf(step: FirstStep, { promptId, chainId }: FirstSteps): string {
  if (step === 'chain') return chainId === null ? '/chains?chain=new' : `/chains/${chainId}`
  if (step === 'code') return promptId === null ? '/connect' : `/connect?prompt=${promptId}`
  return promptId === null ? '/?prompt=new' : `/execute/${promptId}`
}
