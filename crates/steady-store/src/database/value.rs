//! Values on their way into and out of a database.

use bytes::BytesMut;
use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::StoreError;

/// One value of a row or a statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// One row of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Row {
    pub(crate) fn integer(&self, column: usize) -> Result<i64, StoreError> {
        self.optional_integer(column)?.ok_or(StoreError::Unreadable { column, expected: "a number" })
    }

    pub(crate) fn optional_integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(Value::Null) => Ok(None),
            _ => Err(StoreError::Unreadable { column, expected: "a number" }),
        }
    }

    pub(crate) fn optional_real(&self, column: usize) -> Result<Option<f64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Real(number)) => Ok(Some(*number)),
            Some(Value::Null) => Ok(None),
            _ => Err(StoreError::Unreadable { column, expected: "a decimal number" }),
        }
    }

    pub(crate) fn text(&self, column: usize) -> Result<&str, StoreError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(StoreError::Unreadable { column, expected: "text" }),
        }
    }

    pub(crate) fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(|text| Some(text.to_owned())),
        }
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<&[u8], StoreError> {
        match self.0.get(column) {
            Some(Value::Bytes(bytes)) => Ok(bytes),
            _ => Err(StoreError::Unreadable { column, expected: "bytes" }),
        }
    }

    /// A count; clamped to the largest value that fits.
    pub(crate) fn count(&self, column: usize) -> Result<u32, StoreError> {
        self.integer(column).map(|count| u32::try_from(count.max(0)).unwrap_or(u32::MAX))
    }

    pub(crate) fn time(&self, column: usize) -> Result<Timestamp, StoreError> {
        Timestamp::from_millisecond(self.integer(column)?)
            .map_err(|_| StoreError::Unreadable { column, expected: "a time" })
    }

    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        serde_json::from_str(self.text(column)?)
            .map_err(|_| StoreError::Unreadable { column, expected: "JSON as steady writes it" })
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        Self::Integer(time.as_millisecond())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT, Type::BYTEA].contains(kind)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        match *kind {
            Type::INT8 => i64::from_sql(kind, raw).map(Self::Integer),
            Type::FLOAT8 => f64::from_sql(kind, raw).map(Self::Real),
            Type::BYTEA => Vec::from_sql(kind, raw).map(Self::Bytes),
            _ => String::from_sql(kind, raw).map(Self::Text),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT, Type::BYTEA].contains(kind)
    }
}
