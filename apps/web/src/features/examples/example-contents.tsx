import type { ExampleOutline } from '@catenary/contracts'
import { Fragment, type ReactNode } from 'react'

export function ExampleContents({
  outline: { prompts, chains, variables, suites },
}: {
  outline: ExampleOutline
}) {
  const categories = [...new Set(prompts.map(({ category }) => category))]
  return (
    <div className="divide-y divide-line overflow-hidden rounded-card border border-line bg-inset text-sm">
      <div className="grid grid-cols-4 max-md:grid-cols-2">
        {categories.map((category) => (
          <Cell
            key={category}
            title={category}
            className="border-line not-first:border-l max-md:nth-3:border-l-0 max-md:nth-[n+3]:border-t"
          >
            <ul className="grid gap-1.5 text-text">
              {prompts
                .filter((prompt) => prompt.category === category)
                .map(({ title }) => (
                  <li key={title}>{title}</li>
                ))}
            </ul>
          </Cell>
        ))}
      </div>
      <div className="grid grid-cols-2 max-md:grid-cols-1 max-md:divide-y max-md:divide-line md:divide-x md:divide-line">
        <Cell title={`${chains.length} chains`}>
          {chains.map(({ name, steps }) => (
            <div key={name} className="grid gap-1.5 not-first:mt-1.5">
              <h4 className="font-semibold">{name}</h4>
              <ol className="flex flex-wrap items-center gap-1.5 text-text-2">
                {steps.map((step, index) => (
                  <Fragment key={step}>
                    {index > 0 && <li aria-hidden="true" className="h-px w-3 bg-line-strong" />}
                    <li className="flex items-center gap-1.5">
                      <span
                        aria-hidden="true"
                        className="grid size-[18px] place-items-center rounded-full border border-line-strong text-xs tabular-nums"
                      >
                        {index + 1}
                      </span>
                      {step}
                    </li>
                  </Fragment>
                ))}
              </ol>
            </div>
          ))}
        </Cell>
        <Cell title={`${variables.length} variables`}>
          <ul className="flex flex-wrap gap-1.5">
            {variables.map(({ name }) => (
              <li key={name}>
                <code className="prompt-text rounded-[4px] bg-ref-soft px-1 text-ref">$&lt;{name}&gt;</code>
              </li>
            ))}
          </ul>
          {suites.map(({ name, tests, prompt }) => (
            <div key={name} className="mt-1.5 grid gap-1.5">
              <h3 className="text-text-2">{suites.length === 1 ? '1 suite' : name}</h3>
              <p>
                {name}, {tests} tests on {prompt}
              </p>
            </div>
          ))}
        </Cell>
      </div>
    </div>
  )
}

function Cell({
  title,
  className = '',
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  return (
    <div className={`grid content-start gap-2 px-3.5 py-3 ${className}`}>
      <h3 className="text-text-2">{title}</h3>
      {children}
    </div>
  )
}
