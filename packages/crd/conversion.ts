/** An object of one version of its kind as one of another. */
export {
  conversions,
  type Conversions,
  type Converted,
  type ObjectOf,
  type Spoke,
  type Spokes,
} from './conversion/conversions.ts';
export { convertObject, ConversionError } from './conversion/convert.ts';
export { convertReview, type ConversionReviewResponse } from './conversion/review.ts';
export { KEPT_ANNOTATION } from './conversion/kept-annotation.ts';
