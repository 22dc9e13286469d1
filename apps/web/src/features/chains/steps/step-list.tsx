import type { Chain, ChainStep } from '@catenary/contracts'
import { type ChainWarning, outputsTaken } from '@catenary/domain'
import { DndContext, type DragEndEvent, type UniqueIdentifier } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useEffect, useMemo, useRef, useState } from 'react'
import { matchesShortcut } from '../../../lib/keyboard/shortcuts.ts'
import { cn } from '../../../lib/utils.ts'
import type { StepRun } from '../run/use-step-runs.ts'
import type { WaysOutOf } from '../warning-text.tsx'
import { ReferenceArcs } from './arcs/reference-arcs.tsx'
import { jsonOutputsOf, stepsAsRun } from './step-as-run.ts'
import { StepCard } from './step-card.tsx'
import type { StepItemProps, StepListeners } from './step-item-props.ts'
import { detectCollision } from './step-keyboard-sensor.ts'
import { StepNumber } from './step-number.tsx'
import { dragAnnouncements, useDragSensors } from './step-sorting.ts'
import type { StepActions } from './use-step-actions.ts'

export interface StepListProps {
  chain: Chain
  warnings: readonly ChainWarning[]
  waysOut: WaysOutOf
  actions: StepActions
  runs: ReadonlyMap<number, StepRun>
  hasAnswer: boolean
}

export function StepList({ chain, warnings, waysOut, actions, runs, hasAnswer }: StepListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [isDragging, setIsDragging] = useState(false)
  const { steps, dropAt } = useDroppedOrder(chain.steps)
  const carriedTo = useRef<UniqueIdentifier>(null)
  const sensors = useDragSensors(carriedTo)
  const collisionDetection = useMemo(() => detectCollision(carriedTo), [])
  const announcements = useMemo(() => dragAnnouncements(steps), [steps])
  const taken = useMemo(() => outputsTaken(stepsAsRun(steps)), [steps])
  const jsonOutputs = useMemo(() => jsonOutputsOf(steps), [steps])
  const statuses = steps.map(({ id }) => runs.get(id)?.state.status)
  const movedFrom = useFollowedFocus({ list, steps })

  const drop = ({ active, over }: DragEndEvent) => {
    setIsDragging(false)
    const step = steps.find(({ id }) => id === active.id)
    const to = steps.findIndex(({ id }) => id === over?.id)
    if (!step || to === -1 || active.id === over?.id) return
    dropAt({ step, to })
    actions.move(step, to)
  }
  const byButton: StepActions = {
    ...actions,
    move: (step, to) => {
      movedFrom(step)
      actions.move(step, to)
    },
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collisionDetection}
      accessibility={announcements}
      onDragStart={() => setIsDragging(true)}
      onDragCancel={() => setIsDragging(false)}
      onDragEnd={drop}
    >
      <SortableContext
        items={steps.map(({ id }) => id)}
        strategy={verticalListSortingStrategy}
        disabled={!chain.canEdit}
      >
        <div className="relative">
          <ol ref={list} aria-label="Steps" className="grid gap-3">
            {steps.map((step, index) => (
              <StepItem
                key={step.id}
                chain={chain}
                step={step}
                index={index}
                count={steps.length}
                jsonOutputs={jsonOutputs}
                taken={taken[index] ?? []}
                warnings={warnings.filter((warning) => warning.step === index)}
                waysOut={waysOut}
                actions={byButton}
                canEdit={chain.canEdit}
                run={runs.get(step.id)}
                isLast={!hasAnswer && index === steps.length - 1}
              />
            ))}
          </ol>
          {!isDragging && <ReferenceArcs list={list} taken={taken} statuses={statuses} />}
        </div>
      </SortableContext>
    </DndContext>
  )
}

/** A dropped step stands where it was dropped in the same frame; the stored order takes over as it comes. */
function useDroppedOrder(stored: ChainStep[]) {
  const [dropped, setDropped] = useState<{ over: ChainStep[]; steps: ChainStep[] } | null>(null)
  const steps = dropped?.over === stored ? dropped.steps : stored
  const dropAt = ({ step, to }: { step: ChainStep; to: number }) => {
    const others = steps.filter(({ id }) => id !== step.id)
    setDropped({ over: stored, steps: others.toSpliced(to, 0, step) })
  }
  return { steps, dropAt }
}

/** Restores the focus to the menu after moving a step by it: a moved element loses the focus. */
function useFollowedFocus({
  list,
  steps,
}: {
  list: React.RefObject<HTMLElement | null>
  steps: readonly ChainStep[]
}) {
  const moved = useRef<number | null>(null)
  useEffect(() => {
    if (moved.current === null || steps.length === 0) return
    const menu = list.current?.querySelector<HTMLElement>(`[data-step-menu="${moved.current}"]`)
    moved.current = null
    // A menu that is still closing gives the focus back by itself.
    if (document.activeElement === document.body) menu?.focus()
  }, [steps, list])
  return (step: ChainStep) => {
    moved.current = step.id
  }
}

const SLIDE_MS = 150

function StepItem(props: StepItemProps) {
  const { step, index, isLast, actions, canEdit, run } = props
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: step.id,
      transition: prefersStillness() ? null : { duration: SLIDE_MS, easing: 'ease-out' },
    })
  const byMouse: StepListeners = listeners?.onMouseDown && { onMouseDown: listeners.onMouseDown }
  const style = {
    transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
    transition,
  }
  return (
    <li
      ref={setNodeRef}
      aria-label={`Step ${index + 1}`}
      style={style}
      data-step-id={step.id}
      onKeyDown={(event) => {
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
        if (!isInside || isField(event.target) || !matchesShortcut({ event, id: 'edit' })) return
        // Otherwise the form that opens would get the letter.
        event.preventDefault()
        actions.open(step)
      }}
      className={cn(
        'relative grid grid-cols-[76px_minmax(0,1fr)] max-md:grid-cols-[38px_minmax(0,1fr)]',
        isDragging && 'z-10',
      )}
    >
      <StepNumber
        step={step}
        index={index}
        isLast={isLast}
        isDragging={isDragging}
        status={run?.state.status}
        handle={canEdit ? { ref: setActivatorNodeRef, attributes, listeners } : null}
      />
      <StepCard {...props} isDragging={isDragging} listeners={byMouse} />
    </li>
  )
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [role="textbox"]') !== null
}

function prefersStillness(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}
