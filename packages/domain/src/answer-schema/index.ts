export { checkSchema, type SchemaNote } from './check-schema.ts'
export { describeUnknownPath } from './describe-unknown-field.ts'
export {
  FIELD_NESTING_MAX,
  FIELD_TYPES,
  type FieldType,
  fieldsOfSchema,
  findFieldProblems,
  type SchemaField,
  schemaOfFields,
} from './fields.ts'
export { findConflict } from './find-conflict.ts'
export type { JsonSchema } from './schema-node.ts'
export { forVendor, type Vendor } from './vendors.ts'
