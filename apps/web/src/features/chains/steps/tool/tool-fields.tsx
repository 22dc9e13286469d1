import { TOOL_TYPES } from '@catenary/contracts'
import { LockIcon } from 'lucide-react'
import { Controller, useWatch } from 'react-hook-form'
import { Banner } from '../../../../components/ui/banner.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import { LoopFields } from '../flow/loop-fields.tsx'
import type { KindFieldsProps } from '../kind-form.ts'
import { OutputNameField } from '../output-name-field.tsx'
import { typeFormOf } from './tool-forms.ts'
import { useMaySaveTools } from './tool-steps.queries.ts'

/** Of a step that does something outside: what. */
export function ToolFields(props: KindFieldsProps) {
  const { form, values } = props
  const { errors } = form.formState
  const { Fields } = useType(props)
  const maySave = useMaySaveTools()
  return (
    <>
      {!maySave && (
        <Banner role="note" icon={<LockIcon />}>
          Only administrators may change what a step calls on this server. Anything else of it you can save.
        </Banner>
      )}
      <Controller
        control={form.control}
        name="toolType"
        render={({ field: { value, onChange } }) => (
          <SegmentedControl
            aria-label="What the step does"
            value={value}
            onValueChange={onChange}
            className="flex w-full"
          >
            {TOOL_TYPES.map((type) => (
              <SegmentedControlItem key={type} value={type}>
                {typeFormOf(type).label}
              </SegmentedControlItem>
            ))}
          </SegmentedControl>
        )}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Title" error={errors.title?.message}>
          <Input autoComplete="off" {...form.register('title')} />
        </Field>
        <OutputNameField
          field={form.register('outputVariableName')}
          value={values.outputVariableName}
          error={errors.outputVariableName?.message}
        />
      </div>
      <Fields {...props} />
    </>
  )
}

/** What comes back. */
export function ToolAnswer(props: KindFieldsProps) {
  const { Answer } = useType(props)
  return Answer ? <Answer {...props} /> : null
}

/** How often it is done, and what its type says of that. */
export function ToolSettings(props: KindFieldsProps) {
  const { form, templates, earlierOutputs } = props
  const { Settings } = useType(props)
  return (
    <>
      <LoopFields form={form} outputs={earlierOutputs} variables={templates.variables} />
      {Settings && <Settings {...props} />}
    </>
  )
}

const useType = ({ form: { control } }: KindFieldsProps) =>
  typeFormOf(useWatch({ control, name: 'toolType' }))
