import { type ReactNode, useId } from 'react'

/** A part of what a tool sends, under its name. */
export function ViewSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 border-t border-line pt-3"
    >
      <h3 id={id} className="text-xs font-medium tracking-normal text-text-2">
        {title}
      </h3>
      {children}
    </section>
  )
}
