import type { ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import {
  type Announcements,
  MouseSensor,
  TouchSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type CarryTarget, StepKeyboardSensor } from './step-keyboard-sensor.ts'

/** A press that moves less is a click. */
const DRAG_DISTANCE = 6
/** A shorter touch scrolls. */
const TOUCH_DELAY_MS = 200
const TOUCH_TOLERANCE = 8

/** A press on one of the card's buttons, or in a menu that floats above it, drags nothing. */
class CardMouseSensor extends MouseSensor {
  static override activators: typeof MouseSensor.activators = [
    {
      eventName: 'onMouseDown',
      handler: ({ nativeEvent: { button, target }, currentTarget }) =>
        button === 0 &&
        target instanceof HTMLElement &&
        currentTarget.contains(target) &&
        !target.closest('button:not([data-step-title], [aria-roledescription]), a'),
    },
  ]
}

export function useDragSensors(carriedTo: CarryTarget) {
  return useSensors(
    useSensor(CardMouseSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(TouchSensor, { activationConstraint: { delay: TOUCH_DELAY_MS, tolerance: TOUCH_TOLERANCE } }),
    useSensor(StepKeyboardSensor, { carriedTo }),
  )
}

export function dragAnnouncements(steps: readonly ChainStep[]): {
  announcements: Announcements
  screenReaderInstructions: { draggable: string }
} {
  const nameOf = (id: UniqueIdentifier) => {
    const step = steps.find((other) => other.id === id)
    return step ? stepTitle(step) : 'The step'
  }
  const placeOf = (id: UniqueIdentifier) =>
    `${steps.findIndex((step) => step.id === id) + 1} of ${steps.length}`
  let last: UniqueIdentifier | undefined
  return {
    announcements: {
      onDragStart: ({ active }) => {
        last = active.id
        return `Picked up ${nameOf(active.id)}, step ${placeOf(active.id)}.`
      },
      onDragOver: ({ active, over }) => {
        // The first position is its own: announcing it would drown out that it was picked up.
        if (!over || over.id === last) return undefined
        last = over.id
        return `${nameOf(active.id)} is over place ${placeOf(over.id)}.`
      },
      onDragEnd: ({ active, over }) =>
        over ? `${nameOf(active.id)} was dropped at place ${placeOf(over.id)}.` : 'Dropped where it was.',
      onDragCancel: ({ active }) => `${nameOf(active.id)} stays step ${placeOf(active.id)}.`,
    },
    screenReaderInstructions: {
      draggable:
        'Press Space to pick up the step, the arrow keys to move it, Space again to drop it, Escape to leave it where it was.',
    },
  }
}
