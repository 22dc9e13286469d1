import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'

export interface FocusTargetProps {
  /** Gets something to focus, as a form does with the first invalid field. */
  ref: Ref<{ focus: () => void }>
  /** The element inside that takes the focus. */
  selector: string
  children: ReactNode
}

/** Lets a form focus a control that it doesn't hold the element of. */
export function FocusTarget({ ref, selector, children }: FocusTargetProps) {
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    focus: () => box.current?.querySelector<HTMLElement>(selector)?.focus(),
  }))
  return <div ref={box}>{children}</div>
}
