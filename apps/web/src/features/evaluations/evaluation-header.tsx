import type { Evaluation } from '@catenary/contracts'
import { HistoryIcon, LinkIcon, MessageSquareTextIcon, PlayIcon, SquareIcon, Trash2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { countText } from '../../lib/text/count-text.ts'
import { toastFailure } from '../../lib/toast.ts'
import { useStopEvaluation } from './evaluations.queries.ts'

interface EvaluationHeaderProps {
  evaluation: Evaluation
  earlier: number
  recordHref: string
  isPhone: boolean
  search: ReactNode
  onEarlier: () => void
  onRun: () => void
  onDelete: () => void
}

export function EvaluationHeader({ evaluation, earlier, isPhone, ...props }: EvaluationHeaderProps) {
  const { id, kind, recordName, suiteName, cases, status, canStop, canDelete } = evaluation
  const { mutate: stop, isPending } = useStopEvaluation()
  const isRunning = status === 'running'
  useShortcut({ id: 'submit', onPress: () => isRunning || props.onRun() })
  const onStop = () => stop(id, { onError: toastFailure('Couldn’t stop') })
  const Icon = kind === 'prompt' ? MessageSquareTextIcon : LinkIcon
  return (
    <PageHeader
      title={
        <>
          <span className="max-md:block max-md:text-xs max-md:leading-4 max-md:font-normal max-md:text-text-3">
            Evaluation
          </span>
          {` #${id}`}
        </>
      }
      start={<BackLink href={props.recordHref} label={`Back to ${recordName}`} />}
      badges={
        !isPhone && (
          <>
            {(status === 'started' || status === 'ended') && <Badge variant="outline">{status}</Badge>}
            <Badge title={recordName} className="max-w-max min-w-0 flex-1">
              <Icon />
              <span className="truncate leading-normal">{recordName}</span>
            </Badge>
            <Badge title={suiteName} className="max-w-max min-w-0 flex-1 max-lg:hidden">
              <span className="truncate leading-normal">
                {suiteName} · {countText(cases.length, 'test')}
              </span>
            </Badge>
          </>
        )
      }
      search={isPhone && props.search}
      view={
        <>
          {!isPhone && (
            <Button variant="ghost" onClick={props.onEarlier}>
              <HistoryIcon />
              Earlier · {earlier}
            </Button>
          )}
          {(isPhone || canDelete) && (
            <MoreMenu of={`Evaluation #${id}`} size="icon">
              {isPhone && (
                <DropdownMenuItem onSelect={props.onEarlier}>
                  <HistoryIcon />
                  Earlier evaluations
                </DropdownMenuItem>
              )}
              {canDelete && (
                <DropdownMenuItem variant="destructive" disabled={isRunning} onSelect={props.onDelete}>
                  <Trash2Icon />
                  Delete evaluation
                </DropdownMenuItem>
              )}
            </MoreMenu>
          )}
        </>
      }
      action={
        isRunning || (status === 'started' && canStop) ? (
          canStop && (
            <Button variant="secondary" pending={isPending} onClick={onStop}>
              {!isPending && <SquareIcon />}
              <span className="max-md:sr-only">Stop</span>
            </Button>
          )
        ) : (
          <Button onClick={props.onRun} aria-label="Run evaluation">
            <PlayIcon />
            {!isPhone && 'Run evaluation'}
            {!isPhone && <ShortcutKeys id="submit" />}
          </Button>
        )
      }
    />
  )
}
