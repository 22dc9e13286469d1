import { TOKEN_TEXTS } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { Fact } from '../../components/fact.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Time } from '../../components/time/time.tsx'
import { useTimeZone } from '../../lib/time-zone.ts'
import { toastFailure } from '../../lib/toast.ts'
import { AskedPrivate } from '../fills/asked-private.tsx'
import { formatCost, formatCount } from '../runs/format-metrics.ts'
import { type AnyToken, describeLimits } from './token-texts.ts'
import { useUpdateToken } from './tokens.queries.ts'

export function TokenDetails({ token, children }: { token: AnyToken; children?: ReactNode }) {
  const { lastError, monthlyBudgetUsd, monthCostUsd, savedCalls, previousUntil } = token
  const behaviour = behaviourOf(token)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2.5 text-sm">
        {token.calls === null ? (
          <Fact name="Calls">{`Only ${token.createdBy} sees them`}</Fact>
        ) : (
          <>
            <Fact name="Calls">{formatCount(token.calls)}</Fact>
            <Fact name="Tokens">
              {formatCount(token.inputTokens)} in, {formatCount(token.outputTokens)} out
            </Fact>
            <Fact name="Cost">{formatCost(token.costUsd)}</Fact>
            <Fact name="This month">
              {formatCost(monthCostUsd)}
              {monthlyBudgetUsd !== null && ` of ${formatCost(monthlyBudgetUsd)}`}
            </Fact>
          </>
        )}
        {savedCalls !== null && (token.tokenType === 'chain' || token.tokenType === 'best') && (
          <Fact name="Background jobs saved">{formatCount(savedCalls)}</Fact>
        )}
        {token.tokenType === 'chain' && <Fact name="Runs">{token.chainLabel ?? 'latest'}</Fact>}
        <Fact name="Limits">{describeLimits({ limits: token, timeZone: useTimeZone() })}</Fact>
        <Fact name="Behaviour">{behaviour.length > 0 ? behaviour.join(', ') : 'plain'}</Fact>
        {token.fills.length > 0 && <Fact name="Private values">fills {namesOf(token)}</Fact>}
        <Fact name="Created by">
          {token.createdBy}, <Time time={token.createdAt} as="day" />
        </Fact>
        {previousUntil !== null && (
          <Fact name="Old value works until">
            <Time time={previousUntil} />
          </Fact>
        )}
      </dl>
      <Consent token={token} />
      {lastError && (
        <p className="rounded-control bg-danger-soft px-3 py-2 text-sm text-danger wrap-anywhere">
          Last error, <RelativeTime time={lastError.at} />: {lastError.message}
        </p>
      )}
      {children}
    </div>
  )
}

const namesOf = ({ fills }: AnyToken): string => [...new Set(fills.map(({ name }) => name))].join(', ')

function Consent({ token }: { token: AnyToken }) {
  const { mutate, isPending } = useUpdateToken()
  const onError = toastFailure(TOKEN_TEXTS.errorUpdating)
  return (
    <AskedPrivate
      name={token.name}
      kept={token}
      isPending={isPending}
      onAllow={(body) => mutate({ id: token.id, body }, { onError })}
    />
  )
}

function behaviourOf(token: AnyToken): string[] {
  if ('scopes' in token) {
    const { tokenType, scopes, labels } = token
    if (tokenType === 'read') return [scopes.includes('run') ? 'fetches and runs prompts' : 'fetches prompts']
    if (tokenType === 'mcp')
      return [`serves ${labels.length > 0 ? labels.join(', then ') : 'production, else the newest'}`]
    if (tokenType === 'scoped') return [scopes.join(' ')]
    if (tokenType === 'folder') {
      const writes = scopes.includes('folder.write') ? ['writes'] : []
      return ['reads', ...writes, ...(scopes.includes('evaluate') ? ['evaluates'] : [])]
    }
  }
  if (token.tokenType !== 'chain' && token.tokenType !== 'best') return []
  return [
    token.answersHelperJobs ? ['answers background jobs itself'] : [],
    token.showsProgress ? ['shows progress'] : [],
    'threshold' in token && token.threshold !== null ? [`asks below ${token.threshold.toFixed(2)}`] : [],
  ].flat()
}
