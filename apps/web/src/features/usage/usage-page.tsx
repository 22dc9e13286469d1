import { USAGE_DAYS, type UsageDay, type UsageItem, type UsageReport } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumnIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useSession } from '../../lib/session/session.tsx'
import { formatCached, formatCount } from '../runs/format-metrics.ts'
import { BudgetWarning } from './budget-warning.tsx'
import { ItemsPanel } from './items-panel.tsx'
import { ModelsPanel } from './models-panel.tsx'
import { RunsChart } from './runs-chart.tsx'
import { type DayChartProps, type Part, PartMetrics, StackedChart } from './stacked-chart.tsx'
import { TimesChart } from './times-chart.tsx'
import { usageQuery } from './usage.queries.ts'
import { compactCount, dayText, longDayText, moneyText, reasonText } from './usage-text.ts'
import { UsageTiles } from './usage-tiles.tsx'
import { runsAddress, type UsageView, useUsageView } from './usage-view.ts'

const TOKEN_PARTS: Part<'in' | 'out'>[] = [
  { key: 'in', label: 'In', fill: 'fill-accent', dot: 'bg-accent', value: (day) => day.inputTokens },
  { key: 'out', label: 'Out', fill: 'fill-out', dot: 'bg-out', value: (day) => day.outputTokens },
]
const TOKENS_HEIGHT = 160
const describeTokens = ({ date, inputTokens, outputTokens }: UsageDay): string =>
  `${longDayText(date)}: ${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`

export function UsagePage({ timeZone }: { timeZone: string }) {
  useDocumentTitle('Usage')
  const { isAdmin } = useSession()
  const isPhone = useMediaQuery(PHONE)
  const [view, changeView] = useUsageView()
  const { data, error, refetch } = useQuery(usageQuery({ view, timeZone }))
  const choices = <Choices view={view} onChange={changeView} isAdmin={isAdmin} />
  return (
    <>
      <PageHeader title="Usage" count={data && spanOf(data)} view={!isPhone && choices} />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 max-md:px-3.5">
        {isPhone && <div className="mb-3 flex flex-wrap gap-2">{choices}</div>}
        {error && !data ? (
          <ErrorState title="Usage could not be loaded" error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <Report report={data} view={view} />
        ) : (
          <UsageSkeleton />
        )}
      </div>
    </>
  )
}

interface ChoicesProps {
  view: UsageView
  onChange: (change: Partial<UsageView>) => void
  isAdmin: boolean
}

function Choices({ view: { scope, days }, onChange, isAdmin }: ChoicesProps) {
  return (
    <>
      {isAdmin && (
        <SegmentedControl
          aria-label="Whose runs"
          value={scope}
          onValueChange={(scope) => onChange({ scope })}
        >
          <SegmentedControlItem value="mine">Mine</SegmentedControlItem>
          <SegmentedControlItem value="everyone">Everyone</SegmentedControlItem>
        </SegmentedControl>
      )}
      <SegmentedControl aria-label="How many days" value={days} onValueChange={(days) => onChange({ days })}>
        {USAGE_DAYS.map((days) => (
          <SegmentedControlItem key={days} value={days}>
            {days} days
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
    </>
  )
}

function spanOf({ days }: UsageReport): string {
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? `${dayText(first.date)} – ${dayText(last.date)}, ${last.date.slice(0, 4)}` : ''
}

function Report({ report, view }: { report: UsageReport; view: UsageView }) {
  const [active, setActive] = useState<number | null>(null)
  const { days, models, reasons, prompts, chains, people, groups, sources, budget } = report
  const isEmpty = models.count + reasons.count + prompts.count + chains.count === 0
  const charts = { days, view, active, onActive: setActive }
  const to = (name: string) => (item: UsageItem) => runsAddress(view, { [name]: item.key })
  const isEveryone = view.scope === 'everyone'
  return (
    <div className="grid gap-3">
      {budget?.isNear && <BudgetWarning budget={budget} />}
      <UsageTiles report={report} />
      {isEmpty ? (
        <EmptyState
          icon={<ChartNoAxesColumnIcon />}
          title="No runs in this period"
          about="usage"
          description={`Charts of runs, times and costs appear here after ${isEveryone ? 'the' : 'your'} first run.`}
          action={
            <Button asChild>
              <Link href="/">Choose a prompt to run</Link>
            </Button>
          }
        />
      ) : (
        <>
          <div className="grid gap-3 lg:grid-cols-3">
            <RunsChart {...charts} />
            <ModelsPanel models={models} view={view} />
            <TimesChart {...charts} title="Time to answer" measure="whole" />
            <TimesChart {...charts} title="First text" measure="firstText" />
            <TokensChart {...charts} />
          </div>
          <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
            <ItemsPanel
              title="Top prompts"
              items={prompts}
              nameless="A private or deleted prompt"
              hrefOf={to('promptId')}
              empty="No prompt runs"
            />
            <ItemsPanel
              title="Chains"
              items={chains}
              nameless="A private or deleted chain"
              hrefOf={to('chainId')}
              empty="No chain runs"
            />
            {sources.count > 0 && (
              <ItemsPanel
                title="Evaluations"
                items={sources}
                nameless=""
                nameOf={() => 'All evaluations'}
                empty="No evaluations"
              />
            )}
            {isEveryone && (
              <ItemsPanel
                title="People"
                items={people}
                nameless="A deleted account"
                hrefOf={to('userId')}
                empty="No runs"
              />
            )}
            {isEveryone && groups.count > 0 && (
              <ItemsPanel title="Groups" items={groups} nameless="A deleted group" empty="No runs" />
            )}
            <ItemsPanel
              title="Failures by reason"
              items={reasons}
              nameless=""
              nameOf={({ key }) => reasonText(key)}
              hrefOf={to('reason')}
              empty="No failures"
              hasCost={false}
            />
          </div>
        </>
      )}
    </div>
  )
}

function UsageSkeleton() {
  return (
    <div role="status" className="grid animate-late gap-3">
      <span className="sr-only">Loading the usage...</span>
      <Skeleton className="h-[86px] rounded-card" />
      <div className="grid gap-3 lg:grid-cols-3">
        <Skeleton className="h-64 rounded-card lg:col-span-2" />
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-52 rounded-card" />
        <Skeleton className="h-52 rounded-card" />
        <Skeleton className="h-52 rounded-card" />
      </div>
    </div>
  )
}

function TokensChart({ view, ...chart }: DayChartProps) {
  const { days, active } = chart
  const day = active === null ? undefined : days[active]
  return (
    <StackedChart
      {...chart}
      title="Tokens a day"
      label="Tokens a day, in and out"
      height={TOKENS_HEIGHT}
      parts={TOKEN_PARTS}
      isWhole
      formatTick={compactCount}
      describe={describeTokens}
      hrefOf={({ date }) => runsAddress(view, { date })}
      tooltip={
        day && (
          <>
            <p className="mb-1 font-semibold">{longDayText(day.date)}</p>
            <PartMetrics parts={TOKEN_PARTS} day={day} format={formatCount} />
            {day.cachedTokens > 0 && (
              <p className="mt-1.5 border-t border-line pt-1.5 text-xs text-text-2">{formatCached(day)}</p>
            )}
          </>
        )
      }
      table={{
        head: ['Day', 'Tokens in', 'Cached', 'Tokens out', 'Saved'],
        rows: days.map(({ date, inputTokens, cachedTokens, outputTokens, savedUsd }) => ({
          key: date,
          cells: [
            dayText(date),
            formatCount(inputTokens),
            formatCount(cachedTokens),
            formatCount(outputTokens),
            moneyText(savedUsd),
          ],
        })),
      }}
    />
  )
}
