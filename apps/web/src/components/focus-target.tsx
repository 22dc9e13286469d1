import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'

export interface FocusTargetProps {
  ref: Ref<{ focus: () => void }>
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
